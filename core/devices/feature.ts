// Signing in a terminal or another program that has no browser, by a short code.
import type { Feature } from '../feature.ts'
import { seconds } from '../ports/clock.ts'
import { devicesContract } from './contract.ts'
import { createDeviceHandlers, type DevicePorts } from './handlers.ts'

const QUARTER_MS = 900_000

export const devicesFeature: Feature<DevicePorts, typeof devicesContract> = {
  contract: devicesContract,
  handlers: createDeviceHandlers,
  jobs: ({ storage, clock }) => [
    {
      name: 'forget sign-ins by code that are over',
      every_ms: QUARTER_MS,
      run: () => storage.transaction((within) => within.devices.deleteExpired(seconds(clock))),
    },
  ],
}
