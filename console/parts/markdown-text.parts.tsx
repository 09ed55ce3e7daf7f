import { LONG_WORD, definePreviews } from '../parts-page/states.ts'
import { MarkdownText, Picture } from './markdown-text.tsx'

const DOT =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

export const previews = definePreviews({
  empty: () => <MarkdownText source="" />,
  'headings, lists and a table': () => (
    <MarkdownText
      source={'# Hello\n\n**Bold** and `code`\n\n- [x] one\n- [ ] two\n\n| a | b |\n| - | - |\n| 1 | 2 |'}
    />
  ),
  'code with its colours': () => (
    <MarkdownText source={'```ts\n// a comment\nconst answer: number = 42\nconsole.log("text", answer)\n```'} />
  ),
  'what may not run': () => (
    <MarkdownText source={'<script>alert(1)</script> [a link](javascript:alert(1)) <b>harmless</b>'} />
  ),
  'a picture of its own, and one from elsewhere': () => (
    <>
      <Picture src={DOT} alt="a dot" />
      <MarkdownText source="![a chart](https://elsewhere.test/chart.png)" />
    </>
  ),
  'long text': () => <MarkdownText source={LONG_WORD.repeat(4)} />,
})
