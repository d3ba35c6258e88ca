import { expect, test } from "vitest";
import { readHtml, readMarkup } from "../../../src/corpora/importers/html.ts";

test("blocks stand on lines of their own, inline elements and line breaks of the source do not", () => {
  const html = `<!doctype html><title> A &amp; B
    </title><body><h1>Head<em>ing</em></h1><p>One
    two<br>three &copy; <a href=x>four</a><ul><li>item<li>item&nbsp;two</ul>
    <table><tr><td>a<td>b</table>tail`;
  expect(readHtml(html)).toEqual({
    title: "A & B",
    text: "Heading\nOne two\nthree © four\nitem\nitem two\na b\ntail",
  });
});

test("what no reader sees is left out", () => {
  const html = `<p>seen<script>if (a < b) x("<p>no")</script><style>p {}</style><!-- no --><nav>no</nav><footer>no</footer>
    <div hidden>no</div><span aria-hidden=true>no</span><div role=navigation>no</div><noscript>no</noscript>
    <svg><title>no</title><text>no</text></svg><template><p>no</template><button>no</button>`;
  expect(readHtml(html)).toEqual({ title: "no", text: "seen" });
});

test("one main element is the page; with several, or an empty one, the whole body is", () => {
  expect(readHtml("<div>around</div><main><p>content</main>").text).toBe("content");
  expect(readHtml("<div>around</div><main></main>").text).toBe("around");
  expect(readHtml("<div>around</div><main>a</main><main>b</main>").text).toBe("around\na\nb");
});

test("broken and hostile markup is read, however deep it nests", () => {
  expect(readHtml("<p>a<b>b<i>c</b>d</i></p></div>e").text).toBe("a bcd\ne".replace("a b", "ab"));
  expect(readHtml(`${"<div>".repeat(50_000)}deep`).text).toBe("deep");
  expect(readHtml("").text).toBe("");
  expect(readMarkup("<F P=102>by</F> &lt;AP&gt; <P>next")).toBe("by <AP>\nnext");
});
