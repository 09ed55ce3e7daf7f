import { LONG, partStates } from '../parts-page/states.ts'
import { OperatorsPage } from './operators-page.tsx'

export const states = partStates({
  text: () => <OperatorsPage title="About" content={'# About us\n\nWe run **models**.'} />,
  'long text': () => <OperatorsPage title="About" content={LONG.repeat(6)} />,
})
