import { LONG_TEXT, definePreviews } from '../parts-page/states.ts'
import { Avatar } from './avatar.tsx'

export const previews = definePreviews({
  'a name': () => <Avatar name="ada" />,
  small: () => <Avatar name="grace" small />,
  'a long name': () => <Avatar name={LONG_TEXT} />,
  'another script': () => <Avatar name="李白" />,
  'no name': () => <Avatar name="" />,
})
