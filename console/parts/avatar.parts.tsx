import { LONG, partStates } from '../parts-page/states.ts'
import { Avatar } from './avatar.tsx'

export const states = partStates({
  'a name': () => <Avatar name="ada" />,
  small: () => <Avatar name="grace" small />,
  'a long name': () => <Avatar name={LONG} />,
  'another script': () => <Avatar name="李白" />,
  'no name': () => <Avatar name="" />,
})
