// Parses an effort at the end of a model's name: `o3-mini-high` is `o3-mini` with high reasoning effort.
import type { UpstreamEndpoint } from './provider.ts'

/** OpenAI's families that think, by their exact beginnings: other makers' names may really end so. */
const FAMILIES =
  /^((?:o\d|gpt-(?:[5-9]|\d\d))(?![a-z]).*|grok-3-mini(?:-fast)?(?:-beta)?)-(none|minimal|low|medium|high|xhigh)$/

/** Returns the model and the effort in a name; undefined if it is only the name of a model. */
export function parseNamedEffort(requested: string): { model: string; reasoning_effort: string } | undefined {
  const [, model, reasoning_effort] = FAMILIES.exec(requested) ?? []
  return model && reasoning_effort ? { model, reasoning_effort } : undefined
}

/** Adapts requests for an endpoint whose models take the effort as a field. */
export const adaptEffort: NonNullable<UpstreamEndpoint['adapt']> = (requested) => {
  const { model, ...implied } = parseNamedEffort(requested) ?? {}
  return model ? { model, implied } : {}
}
