import { LONG, partStates } from '../parts-page/states.ts'
import { LongText } from './long-text.tsx'

export const states = partStates({
  none: () => <LongText title="Prompt" text="" />,
  short: () => <LongText title="Prompt" text="a weir" />,
  'long text': () => <LongText title="Prompt" text={LONG.repeat(4)} />,
})
