using System.Text.RegularExpressions;
using Microsoft.Playwright;
using Polyjuice.LiveView.Api;
using static Microsoft.Playwright.Assertions;

namespace Polyjuice.LiveView.Tests.Page;

/// <summary>
/// What is there before the page has asked for anything: where all processors are busy, answers take their time.
/// </summary>
[RequiresChromium]
public sealed partial class FirstPaintTests
{
    [ConditionalFact]
    public async Task Figures_charts_and_tables_have_data_while_nothing_that_the_page_asks_for_is_answered()
    {
        await using var view = await RunningView.StartAsync();
        // A line takes two samples.
        await using (view.Work()) await view.SampleAsync(sample => sample.Number > 1 && sample.Types.Count > 1);

        await using var browser = await Browser.OpenAsync(
            view, before: page => page.RouteAsync("**/api/**", _ => Task.CompletedTask));

        await Expect(browser.Page.Locator("#connection")).ToHaveTextAsync("connecting…");
        await Expect(browser.Figure("committed")).ToHaveTextAsync(Rate());
        await Expect(browser.Page.Locator("#charts svg")).ToHaveCountAsync(4);
        await Expect(browser.Page.Locator("#charts path").First).ToHaveAttributeAsync("d", Drawn());
        await Expect(browser.Page.Locator("#trace")).ToHaveTextAsync("None is recorded here.");
        Assert.Empty(browser.Errors);
    }

    [ConditionalFact]
    public async Task Figures_are_there_without_scripts()
    {
        await using var view = await RunningView.StartAsync(options => options.Title = "The bank's silos");
        await using var work = view.Work();
        await view.SampleAsync(sample => sample.Commits > 0);
        await using var browser = await Browser.OpenAsync(view, options: new() { JavaScriptEnabled = false });
        await Expect(browser.Page.Locator("h1")).ToHaveTextAsync("The bank's silos");
        await Expect(browser.Figure("committed")).ToHaveTextAsync(Rate());
        await Expect(browser.Page.Locator("noscript p")).ToBeVisibleAsync();
    }

    // Written by two programs, read as one.
    [ConditionalFact]
    public async Task The_servers_numbers_are_written_as_the_scripts_write_them()
    {
        double[] values =
        [
            0, 1e-7, 0.000_049_9, 0.001_234, 0.05, 0.999, 1, 1.5, 9.996, 12.345, 99.94, 100, 1_234.5, 2_000_000
        ];
        await using var view = await RunningView.StartAsync();
        await using var browser = await Browser.OpenAsync(view);
        var written = await browser.Page.EvaluateAsync<string[][]>(
            "async values => { const dom = await import('./assets/dom.js'); const all = values.map(value => value || "
            + "0); return [all.map(dom.count), all.map(dom.time)]; }",
            values);
        Assert.Equal(written[0], values.Select(Quantity.Count));
        Assert.Equal(written[1], values.Select(Quantity.Time));
    }

    [GeneratedRegex("^[0-9.,]+/s$")]
    private static partial Regex Rate();

    [GeneratedRegex("^M[0-9.]+ [0-9.]+L")]
    private static partial Regex Drawn();
}
