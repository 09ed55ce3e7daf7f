import { LONG_TEXT, ignore, definePreviews } from '../parts-page/states.ts'
import { Button } from '../semi.ts'
import { ConfirmButton, askConfirmation } from './confirm.tsx'

export const previews = definePreviews({
  'a button that asks': () => (
    <ConfirmButton question="Delete laptop?" onConfirm={ignore}>
      Delete
    </ConfirmButton>
  ),
  disabled: () => (
    <ConfirmButton question="Delete laptop?" onConfirm={ignore} disabled>
      Delete
    </ConfirmButton>
  ),
  'a harmless question': () => (
    <Button onClick={() => void askConfirmation({ title: 'Enable all channels?', yes: 'Enable', harmless: true })}>
      Ask
    </Button>
  ),
  'a long question': () => (
    <Button onClick={() => void askConfirmation({ title: LONG_TEXT, body: LONG_TEXT, yes: 'Delete' })}>
      Ask at length
    </Button>
  ),
})
