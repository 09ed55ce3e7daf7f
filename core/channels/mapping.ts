// Maps the requested model name to the name sent upstream, unless the request passes through unchanged. Prices use the
// requested name.
import { getRequestedModel, type RequestHead } from '../dialects/head.ts'
import { fail } from '../errors.ts'
import type { Settings } from '../settings/index.ts'
import type { RoutedChannel } from './routed-channel.ts'

/**
 * Follows the chain of names to its end; a name that maps to itself ends it.
 * @throws GatewayError mapping.cycle
 */
export function upstreamModel(model: string, mapping: Readonly<Record<string, string>>): string {
  if (!Object.hasOwn(mapping, model)) return model
  const seen = new Set<string>()
  let name = model
  while (Object.hasOwn(mapping, name)) {
    const next = mapping[name]?.trim()
    if (!next || next === name) break
    if (seen.has(next)) fail('mapping.cycle', {}, { field: 'model_mapping' })
    seen.add(name)
    name = next
  }
  return name
}

/**
 * Returns the model that a channel is asked for: the mapped one, or the caller's own word where the operator passes all
 * requests through.
 * @throws GatewayError mapping.cycle
 */
export const getUpstreamModel = (
  { mapping }: Pick<RoutedChannel, 'mapping'>,
  listed: string,
  head: Pick<RequestHead, 'model' | 'asked'>,
  settings: Settings,
): string =>
  settings['global.pass_through_request_enabled'] ? getRequestedModel(head) : upstreamModel(listed, mapping)

/** Are requests of the provider's own format to go out as they came? */
export const isPassThrough = ({ settings: own }: RoutedChannel, settings: Settings): boolean =>
  own.pass_through_body_enabled === true || settings['global.pass_through_request_enabled']
