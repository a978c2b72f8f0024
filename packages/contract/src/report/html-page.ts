/** The page's style sheet. The page supports light and dark mode, and wide and narrow screens. */
export const style = `
:root{color-scheme:light dark;--ground:#fff;--text:#1c1c1e;--quiet:#5d5d66;--line:#d9d9e0;--pass:#d7f0df;--lenient:#d5eef5;--warn:#fbe7b8;--fail:#f9cfcb;--untestable:#e9daf5;--na:#f3f3f6;--kit:#b3261e}
@media(prefers-color-scheme:dark){:root{--ground:#161618;--text:#ececf0;--quiet:#a5a5b0;--line:#3a3a42;--pass:#173d27;--lenient:#123d49;--warn:#4f3d0d;--fail:#5b1d19;--untestable:#3e2752;--na:#222227;--kit:#c93a31}}
*{box-sizing:border-box}body{margin:0;padding:1rem;background:var(--ground);color:var(--text);font:15px/1.45 system-ui,sans-serif}
h1,h2,p,.untried{max-width:60rem}h1{font-size:1.25rem;margin:0 0 .5rem;overflow-wrap:anywhere}p{margin:.25rem 0}.quiet{color:var(--quiet)}
.conclusion{border-left:.3rem solid;padding:.45rem .75rem;border-radius:.3rem;font-weight:600}.untried{margin:.25rem 0}.untried summary{cursor:pointer}.untried ul{padding-left:1.1rem}.untried li{margin:.35rem 0;overflow-wrap:anywhere}.count{font-weight:400;color:var(--quiet);margin-left:.5rem;font-size:.85rem}
.counts,.filters{display:flex;flex-wrap:wrap;gap:.4rem;margin:.75rem 0}.counts button{border:1px solid var(--line);border-radius:.4rem;padding:.25rem .6rem;color:inherit;font:inherit;cursor:pointer}
.counts button[aria-pressed=false]{background:none;border-style:dashed;color:var(--quiet);text-decoration:line-through}.filters input,.filters select{font:inherit;padding:.3rem .5rem;border:1px solid var(--line);border-radius:.4rem;background:var(--ground);color:inherit;min-width:0;flex:1 1 10rem}.filters input{flex-basis:13rem}
.PASS{background:var(--pass)}.LENIENT{background:var(--lenient)}.WARN{background:var(--warn)}.FAIL{background:var(--fail)}.UNTESTABLE{background:var(--untestable)}.KIT,.counts .KIT,.cells .KIT{background:var(--kit);color:#fff}.counts .none{background:none;color:var(--quiet)}
.cells button::before{margin-right:.35em}.cells .PASS::before{content:'\\2713 '}.cells .LENIENT::before{content:'~ '}.cells .WARN::before{content:'! '}.cells .FAIL::before{content:'\\2715 '}.cells .UNTESTABLE::before{content:'? '}.cells .KIT::before{content:'\\26a0 '}
section>dl,.findings dl{margin:.35rem 0 .75rem}.findings details,.areas{max-width:60rem;margin:.35rem 0}.findings summary,.areas summary{cursor:pointer;overflow-wrap:anywhere}.findings summary span:first-child{border-radius:.3rem;padding:.1rem .4rem;font-weight:600}table{border-collapse:collapse;margin:.5rem 0}td,th{text-align:left;padding:.2rem .9rem .2rem 0;border-bottom:1px solid var(--line)}
section{border-top:1px solid var(--line);padding:.5rem 0}section h2{font-size:1rem;margin:0;overflow-wrap:anywhere}
.cells{display:flex;flex-wrap:wrap;gap:.25rem;margin:.35rem 0}.cells button{border:0;border-radius:.3rem;padding:.2rem .45rem;font:13px/1.3 system-ui,sans-serif;color:inherit;cursor:pointer}
.cells button.more{background:none;border:1px solid var(--line)}
button:focus-visible,input:focus-visible,select:focus-visible,summary:focus-visible{outline:2px solid currentColor;outline-offset:1px}
@media(min-width:60rem){.filters{position:sticky;top:0;padding:.5rem 0;background:var(--ground)}}
dialog::backdrop{background:#0008}dialog h2{font-size:1.05rem;margin:0 0 .25rem;padding-right:4rem;overflow-wrap:anywhere}dialog h2 span{border-radius:.3rem;padding:.1rem .4rem;margin-right:.4rem;white-space:nowrap}
dialog{width:min(56rem,calc(100vw - 1.5rem));max-height:90vh;border:1px solid var(--line);border-radius:.6rem;background:var(--ground);color:var(--text);padding:1rem}
pre{overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere;background:var(--na);padding:.6rem;border-radius:.4rem;font-size:12.5px}
dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.3rem .9rem;margin:.75rem 0 0}dt{color:var(--quiet)}dd{margin:0;overflow-wrap:anywhere}dd pre{margin:0}
@media(max-width:40rem){dt.wide,dd.wide{grid-column:1/-1}}
button.close{position:absolute;top:.75rem;right:.75rem;font:inherit;padding:.2rem .6rem;border:1px solid var(--line);border-radius:.4rem;background:var(--ground);color:inherit;cursor:pointer}
`

/**
 * The page's script. The data is JSON with `requirements` by ID, `cells` with their results, and `passed`. Because most
 * cells pass, `passed` only contains indexes into `names` and the number of checks. Data from the target is always
 * inserted as text and never as markup.
 */
export const script = `
const data=JSON.parse(document.getElementById('data').textContent)
const passed=data.passed.map(([requirement,operation,version,count])=>({requirement:data.names[requirement],operation:data.names[operation],version:data.names[version],variant:'',verdict:'PASS',count}))
const cells=[...data.cells,...passed]
const $=(tag,text,className)=>{const e=document.createElement(tag);if(text!==undefined)e.textContent=text;if(className)e.className=className;return e}
const prose=(text,className)=>{const p=$('p',undefined,className);text.split('\\x60').forEach((part,index)=>p.append(index%2?$('code',part):part));return p}
const classOf=(v)=>v==='KIT ERROR'?'KIT':v
const hidden=new Set()
const order=['FAIL','KIT ERROR','WARN','LENIENT','UNTESTABLE','PASS'],rank=(cell)=>order.indexOf(cell.verdict),worst=(found)=>Math.min(...found.map(rank))
const dialog=document.querySelector('dialog'),main=document.querySelector('main')
const search=document.querySelector('input'),operation=document.getElementById('operation'),version=document.getElementById('version')
const wide=new Set(['expected','got','request','response','repeat'])
const show=(cell)=>{dialog.replaceChildren();const close=$('button','Close','close');close.onclick=()=>dialog.close();const told=data.requirements[cell.requirement],title=$('h2');title.append($('span',cell.verdict,classOf(cell.verdict)),cell.requirement);dialog.append(close,title,prose(told.text))
const list=$('dl');const add=(name,value)=>{if(!value)return;const side=wide.has(name)?'wide':'';list.append($('dt',name,side));const d=$('dd',undefined,side);d.append(name==='request'||name==='response'||name==='repeat'?$('pre',value):value);list.append(d)}
add('at',cell.operation+' '+cell.version+(cell.variant?' ('+cell.variant+')':''));add('strength',cell.strength);add('source',told.source.join(', '));add('expected',cell.expected);add('got',cell.actual);add('because',cell.reason);add('waived',cell.waived);add('worst of',cell.count>1&&cell.count+' checks');add('request',cell.request);add('response',cell.response);add('repeat',cell.curl);dialog.append(list);dialog.showModal();dialog.scrollTop=0}
const most=16
const chip=(cell)=>{const b=$('button',cell.operation+' '+cell.version,classOf(cell.verdict));b.title=cell.verdict;b.onclick=()=>show(cell);return b}
const chips=(cells)=>{const row=$('div',undefined,'cells');row.append(...cells.slice(0,most).map(chip));const rest=cells.slice(most);if(rest.length){const more=$('button',rest.length+' more','more');more.onclick=()=>more.replaceWith(...rest.map(chip));row.append(more)}return row}
const tally=(cells)=>order.map((v)=>[v,cells.filter((cell)=>cell.verdict===v).length]).filter(([,n])=>n).map(([v,n])=>n+' '+v.toLowerCase()).join(', ')
const draw=()=>{main.replaceChildren();const text=search.value.toLowerCase();const groups=new Map();for(const cell of cells){if(hidden.has(cell.verdict)||(operation.value&&cell.operation!==operation.value)||(version.value&&cell.version!==version.value))continue;if(text&&!(cell.requirement+' '+data.requirements[cell.requirement].text).toLowerCase().includes(text))continue;if(!groups.has(cell.requirement))groups.set(cell.requirement,[]);groups.get(cell.requirement).push(cell)}
for(const [id,found] of [...groups].sort(([,one],[,other])=>worst(one)-worst(other))){found.sort((one,other)=>rank(one)-rank(other));const s=$('section'),title=$('h2',id);title.append($('span',tally(found),'count'));s.append(title,prose(data.requirements[id].text+' ('+data.requirements[id].strength+')','quiet'),chips(found));main.append(s)}
if(!groups.size)main.append($('p','Nothing to show.'))}
for(const b of document.querySelectorAll('.counts button')){b.setAttribute('aria-pressed',String(!hidden.has(b.dataset.verdict)));b.onclick=()=>{const v=b.dataset.verdict;hidden.has(v)?hidden.delete(v):hidden.add(v);b.setAttribute('aria-pressed',String(!hidden.has(v)));draw()}}
for(const e of [search,operation,version])e.addEventListener('input',draw)
draw()
`
