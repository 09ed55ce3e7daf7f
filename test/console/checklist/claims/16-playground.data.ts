// The playground.
import { claim, inFile, type Part } from '../claim.ts'

const play = inFile('console/playground')
const kept = inFile('console/playground-kept.long')

const BEGINS = 'begins with a greeting'
const FIRST = 'takes the first model where'

export const part: Part = {
  title: '16. Playground',
  claims: {
    '16.1': claim('The panel has a choice of the group.', play(BEGINS, FIRST)),
    '16.2': claim('The panel has a choice of the model that is searched.', play(BEGINS, 'finds a model by a part')),
    '16.3': claim('The panel has a slider of the temperature.', play(BEGINS)),
    '16.4': claim('The panel has a field of the most tokens.', play(BEGINS)),
    '16.5': claim('The panel has the system prompt.', play(BEGINS)),
    '16.6': claim('The chat has a button that clears what was said.', play(BEGINS)),
    '16.7': claim('On a phone the panel is opened and closed.', kept('folds the options away on a phone')),
    '16.8': claim('It begins with a greeting and its answer.', play(BEGINS)),
  },
}
