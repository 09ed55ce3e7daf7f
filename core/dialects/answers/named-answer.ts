// Replaces the model name in an answer that passes through, wherever its format has it, and nothing else.
import { createFrameParser, encodeEventFrames, type SseFrame } from './frames.ts'
import type { StreamFinding, PassthroughWatcher } from './stream-watcher.ts'
import { changeTopMembers, toJsonBytes, scanObjectMembers } from '../json/json-bytes.ts'

const QUOTE = 0x22
const BRACE = 0x7b
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * Renames the model in a whole answer or the data of an event; bytes without an object stay as they are. `keys` are a
 * format's `modelKeys`.
 */
export function renameAnswerModel(json: Uint8Array, model: string, keys: readonly string[]): Uint8Array {
  try {
    return renamed(json, model, keys)
  } catch {
    return json
  }
}

function renamed(json: Uint8Array, model: string, keys: readonly string[]): Uint8Array {
  const object = scanObjectMembers(json)
  const changes = new Map<string, Uint8Array>()
  for (const { key, start, end } of object.members) {
    if (keys.includes(key) && json[start] === QUOTE) changes.set(key, toJsonBytes(model))
    if (json[start] !== BRACE) continue
    const within = keys.flatMap((path) => (path.startsWith(`${key}.`) ? [path.slice(key.length + 1)] : []))
    if (within.length > 0) changes.set(key, renamed(json.subarray(start, end), model, within))
  }
  return changes.size === 0 ? json : changeTopMembers(json, changes, object)
}

/** Wraps a watcher so that its events name this model. */
export const createRenamingWatcher = (
  watcher: PassthroughWatcher,
  model: string,
  keys: readonly string[],
): PassthroughWatcher =>
  createChangingWatcher(watcher, (frame) => [
    { ...frame, data: decoder.decode(renameAnswerModel(encoder.encode(frame.data), model, keys)) },
  ])

/** Changes whole frames one by one. */
export function changeWholeFrames(run: Uint8Array, change: (frame: SseFrame) => SseFrame[]): Uint8Array {
  const frames = createFrameParser()
  const whole = [...frames.push(run), ...frames.end()]
  return whole.length === 0 ? run : encodeEventFrames(whole.flatMap(change))
}

/** Wraps a watcher so that its events are changed one by one. */
export function createChangingWatcher(
  watcher: PassthroughWatcher,
  change: (frame: SseFrame) => SseFrame[],
): PassthroughWatcher {
  const shown = (run: Uint8Array): Uint8Array => changeWholeFrames(run, change)
  const named = (glance: StreamFinding): StreamFinding => ({
    ...glance,
    pass: glance.pass.map(shown),
    ...(glance.end && glance.end.length > 0 ? { end: shown(glance.end) } : {}),
  })
  return {
    look: (run) => named(watcher.look(run)),
    close: () => named(watcher.close()),
    ...(watcher.cut ? { cut: () => named(watcher.cut!()) } : {}),
    breakOff: (failure) => watcher.breakOff?.(failure)?.flatMap(change),
    outputEstimate: () => watcher.outputEstimate(),
    sound: () => watcher.sound(),
    answered: () => watcher.answered(),
    finished: () => watcher.finished(),
  }
}
