import { LONG_TEXT, ignore, definePreviews } from '../parts-page/states.ts'
import { Note } from './note.tsx'

export const previews = definePreviews({
  'to know': () => <Note>Keys are shown once.</Note>,
  'to be careful of': () => <Note warns>Keys are shown once.</Note>,
  'with a title, to close': () => (
    <Note title="Keys" onClose={ignore}>
      They are shown once.
    </Note>
  ),
  'long text': () => <Note warns>{LONG_TEXT.repeat(3)}</Note>,
})
