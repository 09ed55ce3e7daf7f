import { LONG, partStates } from '../parts-page/states.ts'
import { ManagedNote } from './managed-note.tsx'

export const states = partStates({
  'as the file says': () => <ManagedNote file="weir.yaml" drifted={[]} />,
  'changed by hand': () => <ManagedNote file="weir.yaml" drifted={['priority', 'models']} />,
  'long text': () => <ManagedNote file={LONG} drifted={[LONG, LONG]} />,
})
