// Everything that keeps calls on healthy channels, put together: cooldowns, affinity, the choice, and switching off.
import type { CallFailure } from '../dialects/call-failure.ts'
import { GatewayError } from '../errors.ts'
import type { DeliverMessage } from '../notify/deliver.ts'
import { createNotify, type Notify } from '../notify/notice.ts'
import type { Ports } from '../ports/index.ts'
import type { Settings } from '../settings/index.ts'
import { createAffinity, type Affinity } from './affinity.ts'
import { createChannelHours, type ChannelHours } from './channel-hours.ts'
import type { RoutedChannel } from './routed-channel.ts'
import { createCircuitBreakers, type CircuitBreakers } from './cooldown.ts'
import { shouldDisableChannel, describeFailure } from './health.ts'
import type { ChannelKey } from './keys.ts'
import { createProofMakers, type SignatureOwners } from './proof-makers.ts'
import { createRouter, type Router } from './router.ts'
import { createSwitches, type AutoDisable } from './switches.ts'

export interface ChannelSupervisor {
  cooldowns: CircuitBreakers
  affinity: Affinity
  makers: SignatureOwners
  hours: ChannelHours
  route: Router
  switches: AutoDisable
  notify: Notify
  /** Handles a failed attempt: disables the channel or its key if the failure requires it. */
  onFailure(channel: RoutedChannel, key: ChannelKey<RoutedChannel>, failure: CallFailure, cause: unknown): void
}

/** Returns why the connection failed, and where it went. */
const describeNetwork = (cause: unknown) =>
  cause instanceof GatewayError && cause.network !== undefined ? { network: cause.network, detail: cause.detail } : {}

type CarePorts = Pick<Ports, 'storage' | 'clock' | 'random' | 'logger'> & { deliver: DeliverMessage }

export function createChannelSupervisor(ports: CarePorts, settings: () => Settings): ChannelSupervisor {
  const { clock, logger } = ports
  const cooldowns = createCircuitBreakers(clock, settings)
  const affinity = createAffinity(clock)
  const notify = createNotify(ports)
  const switches = createSwitches({ ...ports, cooldowns, notify })
  return {
    cooldowns,
    affinity,
    makers: createProofMakers(clock),
    hours: createChannelHours(ports),
    switches,
    notify,
    route: createRouter({ ...ports, cooldowns, affinity }),
    onFailure({ id, auto_ban, type }, { fingerprint }, failure, cause) {
      const { status, code, message } = failure
      logger.warn('attempt failed', {
        channel: id,
        ...(fingerprint ? { key: fingerprint } : {}),
        status,
        code,
        message,
        ...describeNetwork(cause),
      })
      if (!shouldDisableChannel(failure, { auto_ban, type }, settings())) return
      switches
        .off(id, describeFailure(failure), fingerprint)
        .catch((error: unknown) =>
          logger.error('a channel could not be switched off', { channel: id, error: String(error) }),
        )
    },
  }
}
