import { LONG_TEXT, definePreviews } from '../parts-page/states.ts'
import { OperatorsPage } from './operators-page.tsx'

export const previews = definePreviews({
  text: () => <OperatorsPage title="About" content={'# About us\n\nWe run **models**.'} />,
  'long text': () => <OperatorsPage title="About" content={LONG_TEXT.repeat(6)} />,
})
