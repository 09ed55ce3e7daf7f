// A channel as calls are sent to it.
import { getRequestedModel, type RequestHead } from '../dialects/requests/head.ts'
import { fail } from '../errors.ts'
import type { Settings } from '../settings/index.ts'
import { ChannelSetting, type ChannelWithKey } from './channel.ts'
import type { ChannelKey } from './keys.ts'
import { followMapping } from './model-mapping.ts'

/** A channel as calls use it: its lists and JSON texts read once. */
export interface RoutedChannel extends ChannelWithKey {
  model_names: string[]
  groups: string[]
  mapping: Record<string, string>
  status_mapping: Record<string, number>
  override: Record<string, unknown>
  settings: ChannelSetting
  /** Each key with the channel that has only it; of a channel with one key, that is the channel itself. */
  keys: readonly ChannelKey<RoutedChannel>[]
}

// Maps the requested model name to the name sent upstream, unless the request passes through unchanged. Prices use the
// requested name.

/**
 * Follows the chain of names to its end; a name that maps to itself ends it.
 * @throws GatewayError mapping.cycle
 */
export function getUpstreamModelName(model: string, mapping: Readonly<Record<string, string>>): string {
  if (!Object.hasOwn(mapping, model)) return model
  const { name, isCycle } = followMapping(model, mapping)
  return isCycle ? fail('mapping.cycle', {}, { field: 'model_mapping' }) : name
}

/**
 * Returns the model that a channel is asked for: the mapped one, or the caller's own word where the operator passes all
 * requests through.
 * @throws GatewayError mapping.cycle
 */
export const getUpstreamModel = (
  { mapping }: Pick<RoutedChannel, 'mapping'>,
  listedName: string,
  head: Pick<RequestHead, 'model' | 'requestedModel'>,
  settings: Settings,
): string =>
  settings['global.pass_through_request_enabled'] ? getRequestedModel(head) : getUpstreamModelName(listedName, mapping)

/** Are requests of the provider's own format to go out as they came? */
export const isPassThrough = ({ settings: own }: RoutedChannel, settings: Settings): boolean =>
  own.pass_through_body_enabled === true || settings['global.pass_through_request_enabled']
