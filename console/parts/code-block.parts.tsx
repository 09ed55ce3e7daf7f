import { LONG_WORD, definePreviews } from '../parts-page/states.ts'
import { CodeBlock } from './code-block.tsx'

export const previews = definePreviews({
  'a few lines': () => (
    <CodeBlock
      label="curl"
      head="shell"
      text={'curl https://weir.test/v1/models \\\n  -H "Authorization: Bearer sk-…"'}
    />
  ),
  'a long line': () => <CodeBlock label="curl" head="shell" text={LONG_WORD.repeat(5)} />,
  nothing: () => <CodeBlock label="curl" text="" />,
})
