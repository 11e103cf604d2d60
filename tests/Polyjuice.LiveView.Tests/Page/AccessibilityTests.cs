using Microsoft.Playwright;
using Polyjuice.Policies;
using static Microsoft.Playwright.Assertions;

namespace Polyjuice.LiveView.Tests.Page;

[RequiresChromium]
public sealed class AccessibilityTests
{
    /// <summary>What a screen reader, or somebody who sees little, stumbles over: by WCAG 2.1, level AA.</summary>
    private const string Problems = """
        () => {
          const problems = [], shown = node => node.getClientRects().length > 0;
          const all = selector => [...document.querySelectorAll(selector)].filter(shown);
          for (const table of all('table')) if (!table.caption?.textContent) problems.push(`a table without a caption: ${table.textContent.slice(0, 40)}`);
          for (const cell of all('th')) if (!cell.scope || !cell.textContent) problems.push(`a heading of a table without scope or text: ${cell.outerHTML}`);
          for (const picture of all('svg')) if (picture.getAttribute('role') !== 'img' || !picture.getAttribute('aria-label')) problems.push('a picture without a text');
          for (const node of all('a, button, select, input, [tabindex="0"]')) {
            const labelledBy = document.getElementById(node.getAttribute('aria-labelledby'));
            const name = node.getAttribute('aria-label') || labelledBy?.textContent || node.labels?.[0]?.textContent || (node.matches('a, button') && node.textContent);
            if (!name) problems.push(`nothing says what this is: ${node.outerHTML.slice(0, 80)}`);
          }
          const ids = [...document.querySelectorAll('[id]')].map(node => node.id);
          for (const id of new Set(ids)) if (ids.indexOf(id) !== ids.lastIndexOf(id)) problems.push(`two of the id ${id}`);
          let level = 0;
          for (const heading of all('h1, h2, h3, h4')) {
            const own = Number(heading.tagName[1]);
            if (own > level + 1) problems.push(`${heading.textContent}: from h${level} to h${own}`);
            level = own;
          }

          const colour = text => { const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number); return { r, g, b, a }; };
          const over = (top, below) => ({ r: top.r * top.a + below.r * (1 - top.a), g: top.g * top.a + below.g * (1 - top.a), b: top.b * top.a + below.b * (1 - top.a), a: 1 });
          const background = node => {
            const layers = [];
            for (let at = node; at; at = at.parentElement) layers.push(colour(getComputedStyle(at).backgroundColor));
            return layers.reverse().reduce((below, top) => over(top, below), { r: 255, g: 255, b: 255, a: 1 });
          };
          const light = ({ r, g, b }) => [r, g, b].map(c => c / 255).map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
          const seen = new Set();
          for (const node of all('body *')) {
            if (![...node.childNodes].some(child => child.nodeType === Node.TEXT_NODE && child.textContent.trim())) continue;
            const style = getComputedStyle(node), below = background(node);
            const ink = over(colour(node instanceof SVGElement ? style.fill : style.color), below);
            const [one, other] = [light(ink), light(below)].sort((a, b) => b - a), ratio = (one + 0.05) / (other + 0.05);
            if (ratio < 4.5) seen.add(`${node.tagName} ${node.className?.baseVal ?? node.className} of contrast ${ratio.toFixed(2)}: ${node.textContent.slice(0, 30)}`);
          }
          return [...problems, ...seen];
        }
        """;

    [ConditionalFact]
    public async Task On_screens_and_phones_in_light_and_dark_it_can_be_read_and_is_named()
    {
        await using var view = await RunningView.StartAsync(
            options => options.AuthorizationPolicy = RunningView.Operators);
        for (var i = 0; i < 4; i++)
            foreach (var name in new[] { "occ", "locking" }) view.Policies.Swap(BuiltinPolicies.Get(name));
        await using var work = view.Work();
        await using var browser = await Browser.OpenAsync(view, user: "olivia");
        await Expect(browser.Page.Locator("#connection")).ToHaveTextAsync("live");
        await Expect(browser.Page.Locator("#waiters tbody tr").First).ToBeVisibleAsync();
        await Expect(browser.Page.Locator("#heat [data-heat='4']").First).ToBeVisibleAsync();
        foreach (var summary in await browser.Page.Locator("summary").AllAsync()) await summary.ClickAsync();
        await browser.Page.GetByRole(AriaRole.Button, new() { Name = "Show what differs" }).ClickAsync();
        await Expect(browser.Page.Locator("#diff table, #diff p").First).ToBeVisibleAsync();

        foreach (var width in new[] { 1280, 390 })
        {
            foreach (var scheme in new[] { ColorScheme.Light, ColorScheme.Dark })
            {
                await browser.Page.SetViewportSizeAsync(width, 900);
                await browser.Page.EmulateMediaAsync(new() { ColorScheme = scheme });
                var wide = await browser.Page.EvaluateAsync<int>("document.documentElement.scrollWidth");
                Assert.True(wide <= width, $"{wide} of {width}, {scheme}");
                Assert.Empty(
                    (await browser.Page.EvaluateAsync<string[]>(Problems)).Select(
                        problem => $"{width}, {scheme}: {problem}"));
            }
        }

        Assert.Empty(browser.Errors);
    }

    [ConditionalFact]
    public async Task All_that_can_be_used_is_reached_by_the_keyboard()
    {
        await using var view = await RunningView.StartAsync();
        for (var i = 0; i < 7; i++) view.Policies.Swap(BuiltinPolicies.Get("occ"));
        await using var browser = await Browser.OpenAsync(view);
        await Expect(browser.Page.Locator("#versions-all")).ToBeVisibleAsync();
        var all = await browser.Page.EvaluateAsync<int>(
            "[...document.querySelectorAll('a[href], button, select, input, summary, [tabindex=\"0\"]')].filter(node "
            + "=> node.getClientRects().length > 0).length");
        var reached = new HashSet<string>();
        for (var i = 0; i < all; i++)
        {
            await browser.Page.Keyboard.PressAsync("Tab");
            reached.Add(
                await browser.Page.EvaluateAsync<string>(
                    "(document.activeElement.id || document.activeElement.ariaLabel || "
                    + "document.activeElement.textContent) + ' ' + "
                    + "getComputedStyle(document.activeElement).outlineStyle"));
        }

        Assert.Equal(all, reached.Count);
        Assert.All(reached, one => Assert.EndsWith(" solid", one, StringComparison.Ordinal));
        Assert.Superset(
            new HashSet<string> { "wait-window solid", "heat solid", "versions-all solid", "diff-any solid" }, reached);
    }
}
