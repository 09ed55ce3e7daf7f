// The name of the model inside an answer whose bytes pass, replaced: wherever a format has it, and nothing else.
import type { Glance, Watcher } from './dialect.ts'
import { createFrameParser, encodeFrames } from './frames.ts'
import { changeMembers, jsonBytes, membersOf } from './json-bytes.ts'

/** At the top (chat, Anthropic's and Responses' whole answers; Gemini's own word), or in what an event carries. */
const NAMES = ['model', 'modelVersion']
const CARRIERS = ['message', 'response']

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A whole answer, or the data of an event; bytes that hold no object stay as they are. */
export function withModel(json: Uint8Array, model: string): Uint8Array {
  try {
    return renamed(json, model)
  } catch {
    return json
  }
}

function renamed(json: Uint8Array, model: string): Uint8Array {
  const object = membersOf(json)
  const changes = new Map<string, Uint8Array>()
  for (const { key, start, end } of object.members) {
    if (NAMES.includes(key) && json[start] === 0x22) changes.set(key, jsonBytes(model))
    else if (CARRIERS.includes(key) && json[start] === 0x7b) changes.set(key, renamed(json.subarray(start, end), model))
  }
  return changes.size === 0 ? json : changeMembers(json, changes, object)
}

/** A watcher whose events name this model. */
export function namingWatcher(watcher: Watcher, model: string): Watcher {
  const frames = createFrameParser()
  const shown = (run: Uint8Array): Uint8Array => {
    const whole = [...frames.push(run), ...frames.end()]
    if (whole.length === 0) return run
    return encodeFrames(
      whole.map((frame) => ({ ...frame, data: decoder.decode(withModel(encoder.encode(frame.data), model)) })),
    )
  }
  const named = (glance: Glance): Glance => ({
    ...glance,
    pass: glance.pass.map(shown),
    ...(glance.end && glance.end.length > 0 ? { end: shown(glance.end) } : {}),
  })
  return {
    look: (run) => named(watcher.look(run)),
    close: () => named(watcher.close()),
    outputEstimate: () => watcher.outputEstimate(),
    sound: () => watcher.sound(),
    finished: () => watcher.finished(),
  }
}
