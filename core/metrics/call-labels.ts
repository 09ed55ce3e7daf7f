// Which model, channel and group a call counts for. Only what operators have set up makes a set of labels, and so many at
// most: nobody makes series by asking for names.
import type { CallRecord } from '../calls/call-record.ts'
import type { ChannelIndex } from '../channels/channel-index.ts'
import { sameModels } from '../models/same-model.ts'

export interface CallLabels {
  model: string
  channel: string
  group: string
}

const OTHER = 'other'
/** No channel was tried. */
const NONE = 'none'
/** Sets of labels; what comes when there are so many is counted as `other`. */
const MOST_SETS = 1000
/** Names whose labels are remembered; beyond it they are found anew. */
const MOST_NAMES = 5000

/** Gives the labels of calls; `folded` hears of each that is counted as `other`. */
export function createCallLabels(index: Pick<ChannelIndex, 'find' | 'naming'>, folded: () => void) {
  const sets = new Map<string, CallLabels>()
  const known = new Map<string, CallLabels>()
  const other: CallLabels = { model: OTHER, channel: OTHER, group: OTHER }

  function find(model: string, id: number | undefined, group: string): CallLabels {
    const channel = id === undefined ? undefined : index.find(id)
    const names = channel?.model_names ?? index.naming(model).flatMap(({ model_names }) => model_names)
    const labels = {
      // Under a date that nobody lists, a model counts as the one that it stands for.
      model: names.includes(model) ? model : (sameModels(model, names)[0] ?? OTHER),
      channel: id === undefined ? NONE : channel ? String(id) : OTHER,
      group,
    }
    const name = `${labels.model}\n${labels.channel}\n${group}`
    const set = sets.get(name)
    if (set) return set
    if (sets.size >= MOST_SETS) return other
    sets.set(name, labels)
    return labels
  }

  return ({ models, attempts, terms }: Pick<CallRecord, 'models' | 'attempts' | 'terms'>): CallLabels => {
    const id = attempts.at(-1)?.channel_id
    const name = `${models.served}\n${id ?? ''}\n${terms.group}`
    let labels = known.get(name)
    if (!labels) {
      if (known.size >= MOST_NAMES) known.clear()
      known.set(name, (labels = find(models.served, id, terms.group)))
    }
    if (labels === other) folded()
    return labels
  }
}
