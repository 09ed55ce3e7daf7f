// The locale of Semi UI where a page names none. Of the components that the console uses only the number field reads one,
// and no more than its code; the library's own brings its texts and those of a calendar.
export default { code: 'en-US' }
