import { LONG_TEXT, definePreviews } from '../parts-page/states.ts'
import { Button } from '../semi.ts'
import { PageHead } from './page-head.tsx'
import { Tag } from './tags.tsx'

export const previews = definePreviews({
  'a title': () => <PageHead title="Tokens" />,
  'with acts and figures': () => (
    <PageHead title="Log" extra={<Tag color="blue">$12.30</Tag>}>
      <Button>Refresh</Button>
      <Button theme="solid">Create token</Button>
    </PageHead>
  ),
  'long text': () => (
    <PageHead title={LONG_TEXT}>
      <Button>Refresh</Button>
    </PageHead>
  ),
})
