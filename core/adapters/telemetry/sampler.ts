// The sampling of traces, by OpenTelemetry's own variables (OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG).
import type { Sampler } from '@opentelemetry/sdk-trace-base'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base'

type SamplerVariables = Readonly<Record<string, string | undefined>>

const samplers: Readonly<Record<string, (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
}

export const DEFAULT_SAMPLER = 'parentbased_always_on'

/**
 * Returns the sampler that the variables name. `wrong` names the variable that is invalid; the default is used then.
 */
export function parseSampler({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: arg }: SamplerVariables): {
  sampler: Sampler
  wrong?: string
} {
  const samplerName = name?.trim() || DEFAULT_SAMPLER
  const make = Object.hasOwn(samplers, samplerName) ? samplers[samplerName] : undefined
  if (!make) {
    const wrong = `OTEL_TRACES_SAMPLER is none of ${Object.keys(samplers).join(', ')}`
    return { sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }), wrong }
  }
  const ratio = arg?.trim() ? Number(arg) : 1
  if (ratio >= 0 && ratio <= 1) return { sampler: make(ratio) }
  return { sampler: make(1), wrong: 'OTEL_TRACES_SAMPLER_ARG is no number from 0 to 1' }
}
