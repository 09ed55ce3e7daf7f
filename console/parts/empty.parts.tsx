import { LONG_TEXT, definePreviews } from '../parts-page/states.ts'
import { Button } from '../semi.ts'
import { EmptyState } from './empty.tsx'

export const previews = definePreviews({
  'a title': () => <EmptyState title="No token yet" />,
  'with a reason and an act': () => (
    <EmptyState failed title="This list could not be loaded" description="The server cannot be reached.">
      <Button>Retry</Button>
    </EmptyState>
  ),
  'long text': () => <EmptyState title={LONG_TEXT} description={LONG_TEXT} />,
  'a whole page': () => <EmptyState page title="You may not see this" />,
})
