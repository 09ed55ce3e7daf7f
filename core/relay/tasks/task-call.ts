// A task submission, and the channel's reply.
import { getUpstreamModelName } from '../../channels/routed-channel.ts'
import { toPriceForm } from '../../dialects/requests/price-words.ts'
import { type FilmRequest, findFilmModel, hasSoundByDefault } from '../../dialects/tasks/film.ts'
import type { SubmissionResult } from '../../dialects/tasks/task-dialect.ts'
import type { TaskFormat } from '../../dialects/tasks/task-format.ts'
import { findProvider } from '../../providers/index.ts'
import { taskDoorFor } from '../../providers/provider.ts'
import type { ChannelLookup } from '../admission.ts'
import type { Call } from '../call.ts'

/** A call that asks for a task. */
export interface TaskCall extends Call {
  inbound: TaskFormat
}

/** A task that a channel accepted. */
export interface AcceptedTask {
  upstream_model: string
  accepted: Exclude<SubmissionResult, { refused: unknown }>
  notify_key: string
}

// Film defaults: values that the caller leaves out are those of the model's first channel. They are held and charged,
// and every provider is asked for exactly these.

/** Length of films of undeclared models. Seconds. */
const USUAL_LENGTH = 5

export function withFilmDefaults(
  requested: FilmRequest,
  model: string,
  format: TaskFormat,
  channels: Pick<ChannelLookup, 'naming'>,
): FilmRequest {
  const { resolution: size } = requested
  const film = size === undefined ? requested : { ...requested, resolution: toPriceForm(size) }
  for (const { type, mapping } of channels.naming(model)) {
    const sent = getUpstreamModelName(model, mapping)
    const provider = findProvider(type)
    const can = provider && findFilmModel(sent, taskDoorFor(provider, format, sent)?.dialect.models ?? [])
    if (!can) continue
    const [seconds, resolution] = [can.seconds[0], can.resolutions[0]]
    const isSoundKnown = film.sound !== undefined || can.sound === 'never'
    const soundDefaults = isSoundKnown ? {} : { sound: hasSoundByDefault(can), usual_sound: true as const }
    return { seconds, resolution, ...soundDefaults, ...film }
  }
  return { seconds: USUAL_LENGTH, ...film }
}

/** A mutex per key: work on the same key runs one after the other, so each run sees the writes of the one before. */
export type InTurn = <T>(about: string, work: () => Promise<T>) => Promise<T>

export function createKeyedMutex(): InTurn {
  const last = new Map<string, Promise<unknown>>()
  return (about, work) => {
    const run = (last.get(about) ?? Promise.resolve()).then(work, work)
    const settled = run
      .catch(() => undefined)
      .finally(() => {
        if (last.get(about) === settled) last.delete(about)
      })
    last.set(about, settled)
    return run
  }
}
