import { LONG_TEXT, definePreviews } from '../parts-page/states.ts'
import { ManagedNote } from './managed-note.tsx'

export const previews = definePreviews({
  'as the file says': () => <ManagedNote file="weir.yaml" drifted={[]} />,
  'changed by hand': () => <ManagedNote file="weir.yaml" drifted={['priority', 'models']} />,
  'long text': () => <ManagedNote file={LONG_TEXT} drifted={[LONG_TEXT, LONG_TEXT]} />,
})
