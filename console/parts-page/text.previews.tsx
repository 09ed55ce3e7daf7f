// Previews of texts, numbers, tags and code.
import { Avatar } from '../parts/avatar.tsx'
import { CodeBlock } from '../parts/code-block.tsx'
import { Copyable, CopyText, useCopy } from '../parts/copy.tsx'
import { LongText } from '../parts/long-text.tsx'
import { MarkdownText, Picture } from '../parts/markdown-text.tsx'
import { Quota, QuotaHint } from '../parts/quota.tsx'
import { RichText } from '../parts/rich-text.tsx'
import { Dot, GroupTag, GroupTags, PALETTE, RatioTag, Tag, UnreadableTag } from '../parts/tags.tsx'
import { nowSeconds, RelativeTime } from '../parts/time.tsx'
import { DurationTag } from '../parts/took.tsx'
import { Button } from '../semi.ts'
import samples from './samples.json'
import { LONG_TEXT, definePreviews, LONG_WORD, type PreviewModule } from './states.ts'

const avatarPreviews = definePreviews({
  'a name': () => <Avatar name="ada" />,
  small: () => <Avatar name="grace" small />,
  'a long name': () => <Avatar name={LONG_TEXT} />,
  'another script': () => <Avatar name={samples.name} />,
  'no name': () => <Avatar name="" />,
})

const codeBlockPreviews = definePreviews({
  'a few lines': () => (
    <CodeBlock
      label="curl"
      head="shell"
      text={'curl https://weir.test/v1/models \\\n  -H "Authorization: Bearer sk-…"'}
    />
  ),
  'a long line': () => <CodeBlock label="curl" head="shell" text={LONG_WORD.repeat(5)} />,
  nothing: () => <CodeBlock label="curl" text="" />,
})

function ByButton() {
  const [copy, dialog] = useCopy()
  return (
    <>
      <Button onClick={() => void copy('some text')}>Copy</Button>
      {dialog}
    </>
  )
}

const copyPreviews = definePreviews({
  'a text': () => <Copyable text="req-1234" />,
  'shown shorter': () => <Copyable text={LONG_WORD} shown="bill…" />,
  'long text': () => <Copyable text={LONG_WORD.repeat(3)} />,
  'by a button': ByButton,
  'by itself': () => <CopyText text="sandbox-small" />,
})

const longTextPreviews = definePreviews({
  none: () => <LongText title="Prompt" text="" />,
  short: () => <LongText title="Prompt" text="a weir" />,
  'long text': () => <LongText title="Prompt" text={LONG_TEXT.repeat(4)} />,
})

const DOT =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

const markdownTextPreviews = definePreviews({
  empty: () => <MarkdownText source="" />,
  'headings, lists and a table': () => (
    <MarkdownText
      source={'# Hello\n\n**Bold** and `code`\n\n- [x] one\n- [ ] two\n\n| a | b |\n| - | - |\n| 1 | 2 |'}
    />
  ),
  'code with its colours': () => (
    <MarkdownText source={'```ts\n// a comment\nconst answer: number = 42\nconsole.log("text", answer)\n```'} />
  ),
  'what may not run': () => (
    <MarkdownText source={'<script>alert(1)</script> [a link](javascript:alert(1)) <b>harmless</b>'} />
  ),
  'a picture of its own, and one from elsewhere': () => (
    <>
      <Picture src={DOT} alt="a dot" />
      <MarkdownText source="![a chart](https://elsewhere.test/chart.png)" />
    </>
  ),
  'long text': () => <MarkdownText source={LONG_WORD.repeat(4)} />,
})

const quotaPreviews = definePreviews({
  nothing: () => <Quota value={0} />,
  'an amount': () => <Quota value={123_456} />,
  'less than can be told': () => <Quota value={1} />,
  'much, and owed': () => <Quota value={-987_654_321_000} />,
  exact: () => <Quota value={1} exact />,
  'what a field is worth': () => <QuotaHint value={500_000} />,
})

const richTextPreviews = definePreviews({
  empty: () => <RichText source="" />,
  'headings, a list and code': () => (
    <RichText source={'# Hello\n\n**Bold** and `code`\n\n- one\n- two\n\n```\nsome code\n```'} />
  ),
  'what may not run': () => (
    <RichText source={'<img src="x" onerror="alert(1)"><script>alert(1)</script><b>harmless</b>'} />
  ),
  'long text': () => <RichText source={LONG_WORD.repeat(4)} />,
})

const groups = ['vip', 'default', ...Array.from({ length: 38 }, (_, index) => `team-of-customers-${index + 1}`)]

const tagsPreviews = definePreviews({
  'every colour': () => (
    <span className="tags">
      {PALETTE.map((color) => (
        <Tag key={color} color={color}>
          {color}
        </Tag>
      ))}
      <Tag color="white">white</Tag>
    </span>
  ),
  'with a tip': () => (
    <Tag color="red" tip={LONG_TEXT}>
      failed
    </Tag>
  ),
  'long text': () => <Tag color="green">{LONG_WORD}</Tag>,
  'a point': () => <Dot color="green">3 s</Dot>,
  'a group': () => <GroupTag group="vip" />,
  'the group of the user': () => <GroupTag group="" />,
  'forty groups': () => <GroupTags groups={groups} />,
  ratios: () => (
    <span className="tags">
      {[0.5, 1, 2, 4, 6].map((ratio) => (
        <RatioTag key={ratio} ratio={ratio} />
      ))}
    </span>
  ),
  'what cannot be read': () => <UnreadableTag row={{ unreadable: ['used_quota'] }} />,
})

const timePreviews = definePreviews({
  'a moment ago': () => <RelativeTime seconds={nowSeconds() - 5} />,
  'a year ago': () => <RelativeTime seconds={nowSeconds() - 400 * 86_400} />,
  'to come': () => <RelativeTime seconds={nowSeconds() + 7200} />,
  exact: () => <RelativeTime seconds={nowSeconds()} exact />,
})

const BEGUN = 1_700_000_000_000

const tookPreviews = definePreviews({
  'not yet': () => <DurationTag from={BEGUN} to={0} />,
  quick: () => <DurationTag from={BEGUN} to={BEGUN + 12_345} />,
  'as long as it may': () => <DurationTag from={BEGUN} to={BEGUN + 60_000} />,
  slow: () => <DurationTag from={BEGUN} to={BEGUN + 61_000} />,
})

export const previews = {
  avatar: avatarPreviews,
  'code-block': codeBlockPreviews,
  copy: copyPreviews,
  'long-text': longTextPreviews,
  'markdown-text': markdownTextPreviews,
  quota: quotaPreviews,
  'rich-text': richTextPreviews,
  tags: tagsPreviews,
  time: timePreviews,
  took: tookPreviews,
} satisfies PreviewModule['previews']
