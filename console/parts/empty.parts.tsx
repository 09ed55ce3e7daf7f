import { LONG, partStates } from '../parts-page/states.ts'
import { Button } from '../semi.ts'
import { Empty } from './empty.tsx'

export const states = partStates({
  'a title': () => <Empty title="No token yet" />,
  'with a reason and an act': () => (
    <Empty failed title="This list could not be loaded" description="The server cannot be reached.">
      <Button>Retry</Button>
    </Empty>
  ),
  'long text': () => <Empty title={LONG} description={LONG} />,
  'a whole page': () => <Empty page title="You may not see this" />,
})
