/** The style of the API page, light and dark. */
export const docsStyle = `
:root{color-scheme:light dark;--ink:light-dark(#0f2236,#e8edf2);--soft:light-dark(#526071,#9fb0c1);--line:light-dark(#e5e2dc,#22344a);
--page:light-dark(#fbfaf8,#0b1622);--panel:light-dark(#fff,#12202f);--accent:light-dark(#14395b,#8db8e0);--fault:light-dark(#9a3412,#f4a988)}
*{box-sizing:border-box}html{scroll-padding-top:1rem}
body{margin:0;font:16px/1.55 "Figtree Variable",system-ui,sans-serif;color:var(--ink);background:var(--page);display:grid;grid-template-columns:19rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.25rem;border-right:1px solid var(--line);font-size:.82rem}
nav ul{list-style:none;padding:0;margin:0}nav a{display:block;padding:.2rem .4rem;border-radius:8px;color:var(--soft);text-decoration:none;overflow-wrap:anywhere}
nav a:hover{background:var(--panel);color:var(--ink)}nav b{color:var(--accent);font-weight:600}
main{max-width:54rem;padding:2rem 2.5rem 6rem}h1{font-size:2rem;letter-spacing:-.02em;margin:.2rem 0 1rem}h2{margin-top:2rem}
section{border-top:1px solid var(--line);padding:1.2rem 0}h3{font-size:1.05rem;margin:0 0 .3rem;overflow-wrap:anywhere}
h3 b{color:var(--accent)}h3 b.delete{color:var(--fault)}a{color:var(--accent)}p{margin:.4rem 0}
.access{font-size:.78rem;border:1px solid var(--line);border-radius:99px;padding:.1rem .6rem;color:var(--soft)}
.problems,dd{color:var(--soft)}.problems{font-size:.85rem}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,monospace;font-size:.85em}
pre{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:.9rem;overflow:auto}
summary{cursor:pointer;padding:.2rem 0;font-weight:600;font-size:.9rem}:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
dt{margin-top:.8rem}dt span{color:var(--soft)}dt:target,section:target{background:var(--panel)}dd{margin:0}
@media (max-width:60rem){body{display:block}nav{position:static;height:auto;border-right:0;border-bottom:1px solid var(--line)}main{padding:1.25rem}}
`;
