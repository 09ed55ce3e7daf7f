// A channel's model mapping: the name asked for becomes the name sent upstream. Prices keep the name asked for.
import { fail } from '../errors.ts'

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
    if (seen.has(next)) fail('mapping.cycle')
    seen.add(name)
    name = next
  }
  return name
}
