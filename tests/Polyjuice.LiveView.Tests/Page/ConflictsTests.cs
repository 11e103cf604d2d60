using Microsoft.Playwright;
using Polyjuice.Policies;
using static Microsoft.Playwright.Assertions;

namespace Polyjuice.LiveView.Tests.Page;

[RequiresChromium]
public sealed class ConflictsTests
{
    [ConditionalFact]
    public async Task Hot_grains_and_who_waits_for_whom_stand_beside_each_other_now_and_over_time()
    {
        await using var view = await RunningView.StartAsync();
        view.Policies.Swap(BuiltinPolicies.Get("locking"));
        await using var work = view.Work();
        await using var browser = await Browser.OpenAsync(
            view, options: new() { ViewportSize = new() { Width = 1280, Height = 900 } });

        var (grains, waiters) = (browser.Page.Locator("#grains"), browser.Page.Locator("#waiters"));
        await Expect(grains.Locator("tbody tr").First).ToContainTextAsync("account-");
        await Expect(waiters.Locator("tbody tr").First).ToContainTextAsync("IAtmGrain.Transfer");
        await Expect(browser.Page.Locator("#grains-chart svg"))
            .ToHaveAttributeAsync("aria-label", new System.Text.RegularExpressions.Regex("account-"));
        await Expect(browser.Page.Locator("#waiters-chart svg"))
            .ToHaveAttributeAsync("aria-label", new System.Text.RegularExpressions.Regex(" for "));
        var (one, other) = (await grains.BoundingBoxAsync(), await waiters.BoundingBoxAsync());
        Assert.True(other!.X >= one!.X + one.Width, $"{one.X} + {one.Width}, {other.X}");

        await browser.Page.GetByLabel("Means and waits of the last").SelectOptionAsync("600");
        await Expect(waiters.Locator("caption")).ToContainTextAsync("Over ");
        await Expect(browser.Page.Locator("#types tbody tr", new() { HasText = "IAtmGrain.Transfer" }))
            .ToBeVisibleAsync();
        Assert.Empty(browser.Errors);
    }

    [ConditionalFact]
    public async Task Aborted_attempts_stand_at_their_type_with_their_reasons()
    {
        await using var view = await RunningView.StartAsync();
        await using var browser = await Browser.OpenAsync(view);
        var row = await browser.Page.EvaluateAsync<string[]>("""
            async () => {
              const { showTypes } = await import('./assets/overview.js');
              showTypes([{ seconds: 2, types: [], typeAborts: [{ type: 'Pay', reason: 'Deadlock', attempts: 4 }, { type: 'Pay', reason: 'Validation', attempts: 2 }] }]);
              return [...document.querySelectorAll('#types tbody td')].map(cell => cell.textContent);
            }
            """);
        Assert.Equal(["Pay", "0/s", "", "", "", "3/s", "Deadlock 2/s, Validation 1/s"], row);
    }

    [ConditionalFact]
    public async Task A_chart_is_as_wide_as_there_is_data()
    {
        await using var view = await RunningView.StartAsync();
        await using var browser = await Browser.OpenAsync(view);

        // From the left edge to the right one, unless the data is of less than ten seconds.
        Assert.Equal(["M46.0", "-60 s", "-30 s", "now"], await DrawAsync(60));
        Assert.Equal(["M46.0", "-10 min", "-5 min", "now"], await DrawAsync(600));
        Assert.Equal(["M429.4", "-10 s", "-5 s", "now"], await DrawAsync(1));

        Task<string[]> DrawAsync(int seconds) => browser.Page.EvaluateAsync<string[]>(
            """
            async seconds => {
              const { chart } = await import('./assets/charts.js');
              const figure = chart({ title: 'a', unit: 'b', times: [0, seconds * 1000], series: [{ name: 'c', values: [1, 2] }] });
              const labels = [...figure.querySelectorAll('text')].slice(-3).map(text => text.textContent);
              return [figure.querySelector('path').getAttribute('d').split(' ')[0], ...labels];
            }
            """,
            seconds);
    }
}
