import { LONG, nothing, partStates } from '../parts-page/states.ts'
import { Button } from '../semi.ts'
import { ConfirmButton, askConfirmation } from './confirm.tsx'

export const states = partStates({
  'a button that asks': () => (
    <ConfirmButton question="Delete laptop?" onConfirm={nothing}>
      Delete
    </ConfirmButton>
  ),
  disabled: () => (
    <ConfirmButton question="Delete laptop?" onConfirm={nothing} disabled>
      Delete
    </ConfirmButton>
  ),
  'a harmless question': () => (
    <Button onClick={() => void askConfirmation({ title: 'Enable all channels?', yes: 'Enable', harmless: true })}>
      Ask
    </Button>
  ),
  'a long question': () => (
    <Button onClick={() => void askConfirmation({ title: LONG, body: LONG, yes: 'Delete' })}>Ask at length</Button>
  ),
})
