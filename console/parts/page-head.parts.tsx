import { LONG, partStates } from '../parts-page/states.ts'
import { Button } from '../semi.ts'
import { PageHead } from './page-head.tsx'
import { Tag } from './tags.tsx'

export const states = partStates({
  'a title': () => <PageHead title="Tokens" />,
  'with acts and figures': () => (
    <PageHead title="Log" extra={<Tag color="blue">$12.30</Tag>}>
      <Button>Refresh</Button>
      <Button theme="solid">Create token</Button>
    </PageHead>
  ),
  'long text': () => (
    <PageHead title={LONG}>
      <Button>Refresh</Button>
    </PageHead>
  ),
})
