// Maps the requested model name to the name sent upstream, unless the request passes through unchanged. Prices use the
// requested name.
import { fail } from '../errors.ts'
import type { Settings } from '../settings/index.ts'
import { followMapping } from './model-mapping.ts'
import type { RoutedChannel } from './routed-channel.ts'

/**
 * Follows the chain of names to its end; a name that maps to itself ends it.
 * @throws GatewayError mapping.cycle
 */
export function upstreamModel(model: string, mapping: Readonly<Record<string, string>>): string {
  if (!Object.hasOwn(mapping, model)) return model
  const { name, isCycle } = followMapping(model, mapping)
  return isCycle ? fail('mapping.cycle', {}, { field: 'model_mapping' }) : name
}

/** Are requests of the provider's own format to go out as they came? */
export const isPassThrough = ({ settings: own }: RoutedChannel, settings: Settings): boolean =>
  own.pass_through_body_enabled === true || settings['global.pass_through_request_enabled']
