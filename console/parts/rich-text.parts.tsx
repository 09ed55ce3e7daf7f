import { LONG_WORD, definePreviews } from '../parts-page/states.ts'
import { RichText } from './rich-text.tsx'

export const previews = definePreviews({
  empty: () => <RichText source="" />,
  'headings, a list and code': () => (
    <RichText source={'# Hello\n\n**Bold** and `code`\n\n- one\n- two\n\n```\nsome code\n```'} />
  ),
  'what may not run': () => (
    <RichText source={'<img src="x" onerror="alert(1)"><script>alert(1)</script><b>harmless</b>'} />
  ),
  'long text': () => <RichText source={LONG_WORD.repeat(4)} />,
})
