// Previews of texts, numbers, tags and code.
import { UserAvatar } from '../parts/text/avatar.tsx'
import { ModelMark, ProviderMark } from '../parts/text/brand-mark.tsx'
import { CodeBlock } from '../parts/text/code-block.tsx'
import { CopyableText, ClickToCopy, useCopy } from '../parts/text/copy.tsx'
import { LongText } from '../parts/text/long-text.tsx'
import { MarkdownMessage, MessagePicture } from '../parts/text/markdown-text.tsx'
import { CountText } from '../parts/text/count.tsx'
import { QuotaText, QuotaHint } from '../parts/text/quota.tsx'
import { RichContent } from '../parts/text/rich-text.tsx'
import { ColorDot, GroupTag, GroupTags, TAG_PALETTE, RatioTag, StateTag, UnreadableTag } from '../parts/text/tags.tsx'
import { getNowSeconds, RelativeTime } from '../parts/text/time.tsx'
import { DurationTag } from '../parts/text/took.tsx'
import { StandaloneWord } from '../parts/text/word.tsx'
import { Button } from '../semi.ts'
import samples from './samples.json'
import { LONG_TEXT, definePreviews, LONG_WORD, type PreviewModule } from './states.ts'

const avatarPreviews = definePreviews({
  'a name': () => <UserAvatar name="ada" />,
  small: () => <UserAvatar name="grace" small />,
  'a long name': () => <UserAvatar name={LONG_TEXT} />,
  'another script': () => <UserAvatar name={samples.name} />,
  'no name': () => <UserAvatar name="" />,
})

const brandMarkPreviews = definePreviews({
  'a model': () => <ModelMark model="gpt-4.1" />,
  'a model with colors': () => <ModelMark model="anthropic/claude-sonnet-4-5" />,
  'an unknown model': () => <ModelMark model="sandbox-small" />,
  'a provider': () => <ProviderMark id="deepseek" />,
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
  'a text': () => <CopyableText text="req-1234" />,
  'shown shorter': () => <CopyableText text={LONG_WORD} shown="bill…" />,
  'long text': () => <CopyableText text={LONG_WORD.repeat(3)} />,
  'by a button': ByButton,
  'by itself': () => <ClickToCopy text="sandbox-small" />,
})

const longTextPreviews = definePreviews({
  none: () => <LongText title="Prompt" text="" />,
  short: () => <LongText title="Prompt" text="a weir" />,
  'long text': () => <LongText title="Prompt" text={LONG_TEXT.repeat(4)} />,
})

const DOT =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

const markdownTextPreviews = definePreviews({
  empty: () => <MarkdownMessage source="" />,
  'headings, lists and a table': () => (
    <MarkdownMessage
      source={'# Hello\n\n**Bold** and `code`\n\n- [x] one\n- [ ] two\n\n| a | b |\n| - | - |\n| 1 | 2 |'}
    />
  ),
  'code with its colours': () => (
    <MarkdownMessage source={'```ts\n// a comment\nconst answer: number = 42\nconsole.log("text", answer)\n```'} />
  ),
  'what may not run': () => (
    <MarkdownMessage source={'<script>alert(1)</script> [a link](javascript:alert(1)) <b>harmless</b>'} />
  ),
  'a picture of its own, and one from elsewhere': () => (
    <>
      <MessagePicture src={DOT} alt="a dot" />
      <MarkdownMessage source="![a chart](https://elsewhere.test/chart.png)" />
    </>
  ),
  'long text': () => <MarkdownMessage source={LONG_WORD.repeat(4)} />,
})

const countPreviews = definePreviews({
  few: () => <CountText value={9_999} />,
  many: () => <CountText value={15_304_613} />,
})

const quotaPreviews = definePreviews({
  nothing: () => <QuotaText value={0} />,
  'an amount': () => <QuotaText value={123_456} />,
  'less than can be told': () => <QuotaText value={1} />,
  'much, and owed': () => <QuotaText value={-987_654_321_000} />,
  exact: () => <QuotaText value={1} exact />,
  'what a field is worth': () => <QuotaHint value={500_000} />,
})

const richTextPreviews = definePreviews({
  empty: () => <RichContent source="" />,
  'headings, a list and code': () => (
    <RichContent source={'# Hello\n\n**Bold** and `code`\n\n- one\n- two\n\n```\nsome code\n```'} />
  ),
  'what may not run': () => (
    <RichContent source={'<img src="x" onerror="alert(1)"><script>alert(1)</script><b>harmless</b>'} />
  ),
  'long text': () => <RichContent source={LONG_WORD.repeat(4)} />,
})

const groups = ['vip', 'default', ...Array.from({ length: 38 }, (_, index) => `team-of-customers-${index + 1}`)]

const tagsPreviews = definePreviews({
  'every colour': () => (
    <span className="tags">
      {TAG_PALETTE.map((color) => (
        <StateTag key={color} color={color}>
          {color}
        </StateTag>
      ))}
      <StateTag color="white">white</StateTag>
    </span>
  ),
  'with a tip': () => (
    <StateTag color="red" tip={LONG_TEXT}>
      failed
    </StateTag>
  ),
  'long text': () => <StateTag color="green">{LONG_WORD}</StateTag>,
  'a point': () => <ColorDot color="green">3 s</ColorDot>,
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
  'a moment ago': () => <RelativeTime seconds={getNowSeconds() - 5} />,
  'a year ago': () => <RelativeTime seconds={getNowSeconds() - 400 * 86_400} />,
  'to come': () => <RelativeTime seconds={getNowSeconds() + 7200} />,
  exact: () => <RelativeTime seconds={getNowSeconds()} exact />,
})

const BEGUN = 1_700_000_000_000

const tookPreviews = definePreviews({
  'not yet': () => <DurationTag from={BEGUN} to={0} />,
  quick: () => <DurationTag from={BEGUN} to={BEGUN + 12_345} />,
  'as long as it may': () => <DurationTag from={BEGUN} to={BEGUN + 60_000} />,
  slow: () => <DurationTag from={BEGUN} to={BEGUN + 61_000} />,
})

const wordPreviews = definePreviews({
  'a word': () => <StandaloneWord>never</StandaloneWord>,
  muted: () => <StandaloneWord muted>none</StandaloneWord>,
})

export const previews = {
  'text/avatar': avatarPreviews,
  'text/brand-mark': brandMarkPreviews,
  'text/code-block': codeBlockPreviews,
  'text/copy': copyPreviews,
  'text/long-text': longTextPreviews,
  'text/markdown-text': markdownTextPreviews,
  'text/count': countPreviews,
  'text/quota': quotaPreviews,
  'text/rich-text': richTextPreviews,
  'text/tags': tagsPreviews,
  'text/time': timePreviews,
  'text/took': tookPreviews,
  'text/word': wordPreviews,
} satisfies PreviewModule['previews']
