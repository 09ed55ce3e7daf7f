// Weir's logo, the same as `public/weir.svg`: inlined it needs no request.
export const Logo = () => (
  <svg viewBox="0 0 32 32" width={28} height={28} aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="#0b7285" />
    <g fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round">
      <path d="M6 10.5c3.3-2.4 6.7-2.4 10 0s6.7 2.4 10 0" />
      <path d="M6 16.5c3.3-2.4 6.7-2.4 10 0s6.7 2.4 10 0" opacity=".8" />
      <path d="M6 22.5c3.3-2.4 6.7-2.4 10 0s6.7 2.4 10 0" opacity=".55" />
    </g>
  </svg>
)
