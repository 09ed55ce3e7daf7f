import { definePreviews } from '../parts-page/states.ts'
import { ForeignFrame } from './foreign-frame.tsx'

export const previews = definePreviews({
  'a page': () => <ForeignFrame title="A page" address="about:blank" />,
  'a program': () => <ForeignFrame title="A chat" address="about:blank" isProgram />,
})
