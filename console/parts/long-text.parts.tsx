import { LONG_TEXT, definePreviews } from '../parts-page/states.ts'
import { LongText } from './long-text.tsx'

export const previews = definePreviews({
  none: () => <LongText title="Prompt" text="" />,
  short: () => <LongText title="Prompt" text="a weir" />,
  'long text': () => <LongText title="Prompt" text={LONG_TEXT.repeat(4)} />,
})
