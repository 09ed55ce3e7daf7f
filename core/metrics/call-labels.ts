// Chooses the labels of a call: model, channel and group. Only configured names become labels, up to a maximum, so that
// clients cannot create series by requesting names.
import type { CallRecord } from '../calls/call-record.ts'
import type { ChannelIndex } from '../channels/channel-index.ts'
import { listSameModels } from '../models/same-model.ts'

export interface CallLabels {
  model: string
  channel: string
  group: string
}

const OTHER = 'other'
/** No channel was tried. */
const NONE = 'none'
/** Maximum number of label sets. Later ones are counted as `other`. */
const MOST_SETS = 1000
/** Maximum number of names with cached labels. */
const MOST_NAMES = 5000

/** Creates the lookup of labels; `folded` is called for each call that is counted as `other`. */
export function createCallLabels(index: Pick<ChannelIndex, 'find' | 'naming'>, folded: () => void) {
  const sets = new Map<string, CallLabels>()
  const known = new Map<string, CallLabels>()
  const other: CallLabels = { model: OTHER, channel: OTHER, group: OTHER }

  function find(model: string, id: number | undefined, group: string): CallLabels {
    const channel = id === undefined ? undefined : index.find(id)
    const names = channel?.model_names ?? index.naming(model).flatMap(({ model_names }) => model_names)
    const labels = {
      // An unlisted snapshot counts as the model that it is a version of.
      model: names.includes(model) ? model : (listSameModels(model, names)[0] ?? OTHER),
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
