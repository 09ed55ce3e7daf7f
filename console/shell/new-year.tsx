// On New Year's Day the top bar has one more item: fireworks, and later a reload of the page.
import { useState } from 'react'
import { useTexts } from '../data/texts.tsx'
import { opensMenu } from '../parts/menu.tsx'
import { Button } from '../semi.ts'
import { words } from './texts.ts'

const FIREWORKS_MS = 3000
const RELOAD_MS = 10_000

function isFirstOfJanuary(): boolean {
  const today = new Date()
  return today.getMonth() === 0 && today.getDate() === 1
}

export function NewYear() {
  const t = useTexts(words)
  const [isNewYear] = useState(isFirstOfJanuary)
  if (!isNewYear) return null
  return (
    <Button
      theme="borderless"
      type="tertiary"
      aria-label={t.newYear}
      {...opensMenu(t.newYear, () => [{ key: 'wish', label: t.happyNewYear, run: celebrate }])}
    >
      <span aria-hidden="true">🎉</span>
    </Button>
  )
}

function celebrate() {
  setTimeout(() => window.location.reload(), RELOAD_MS)
  // Respects the preference for reduced motion.
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return
  void import('./fireworks.ts').then(({ startFireworks: fireworks }) => fireworks(FIREWORKS_MS))
}
