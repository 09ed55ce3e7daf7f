import { LONG, nothing, partStates } from '../parts-page/states.ts'
import { Note } from './note.tsx'

export const states = partStates({
  'to know': () => <Note>Keys are shown once.</Note>,
  'to be careful of': () => <Note warns>Keys are shown once.</Note>,
  'with a title, to close': () => (
    <Note title="Keys" onClose={nothing}>
      They are shown once.
    </Note>
  ),
  'long text': () => <Note warns>{LONG.repeat(3)}</Note>,
})
