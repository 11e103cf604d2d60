using Microsoft.Extensions.DependencyInjection;
using Microsoft.Playwright;
using Polyjuice.Diagnostics;
using Polyjuice.Policies;
using static Microsoft.Playwright.Assertions;

namespace Polyjuice.LiveView.Tests.Page;

[RequiresChromium]
public sealed class PageTests
{
    [ConditionalFact]
    public async Task It_needs_nothing_from_elsewhere_and_shows_figures_that_change()
    {
        await using var view = await RunningView.StartAsync(options => options.Title = "The bank's silos");
        await using var work = view.Work();
        await using var browser = await Browser.OpenAsync(view);
        await Expect(browser.Page).ToHaveTitleAsync("The bank's silos");
        await Expect(browser.Page.Locator("#connection")).ToHaveTextAsync("live");
        await Expect(browser.Figure("committed")).ToHaveTextAsync(new System.Text.RegularExpressions.Regex("^[1-9]"));
        var before = await browser.Figure("committed").TextContentAsync();
        await Expect(browser.Figure("committed")).Not.ToHaveTextAsync(before!);
        await Expect(browser.Page.Locator("#charts svg")).ToHaveCountAsync(4);
        Assert.Contains("committed", await browser.Page.Locator("#charts svg").First.GetAttributeAsync("aria-label"));
        await Expect(browser.Page.Locator("#grains tbody tr").First).ToContainTextAsync("account-");

        Assert.All(browser.Requests, request => Assert.Equal(view.Address.Authority, request.Authority));
        Assert.Contains(browser.Requests, request => request.AbsolutePath == "/polyjuice/assets/view.css");
        Assert.Empty(browser.Errors);
    }

    [ConditionalFact]
    public async Task The_table_that_silos_have_chosen_is_named_where_the_policy_leaves_that_to_them()
    {
        await using var view = await RunningView.StartAsync();
        await using var work = view.Work();
        await using var browser = await Browser.OpenAsync(view);
        await Expect(browser.Figure("policy")).ToContainTextAsync("ic3, v1");
        await Expect(browser.Figure("table chosen")).ToHaveCountAsync(0);

        view.Policies.Swap(BuiltinPolicies.Get("chosen"));
        await Expect(browser.Figure("policy")).ToContainTextAsync("chosen, v2");
        var sample = await view.SampleAsync(sample => sample is { PolicyVersion: 2, Chosen: not null });
        Assert.Contains(sample.Chosen, BuiltinPolicies.All.Select(policy => policy.Name));
        await Expect(browser.Figure("table chosen"))
            .ToHaveTextAsync(new System.Text.RegularExpressions.Regex("^[a-z0-9-]+$"));
        Assert.Empty(browser.Errors);
    }

    [ConditionalFact]
    public async Task The_policys_table_is_there_cell_by_cell_and_darker_where_transactions_wait()
    {
        await using var view = await RunningView.StartAsync();
        view.Policies.Swap(BuiltinPolicies.Get("locking"));
        await using var work = view.Work();
        await using var browser = await Browser.OpenAsync(view);
        var heat = browser.Page.Locator("#heat table");
        var row = heat.Locator("tbody tr", new() { HasText = "IAccountGrain.Withdraw" }).First;
        await Expect(row).ToBeVisibleAsync();
        await Expect(heat.Locator("[data-heat='4']").First).ToBeVisibleAsync();
        var policy = await browser.Page.EvaluateAsync<string[]>(
            "async () => (await (await fetch('api/v1/policies/current')).json()).table.sections.flatMap(section => "
            + "section.rows.flatMap(row => row.cells))");
        Assert.Superset(
            policy.ToHashSet(),
            (await heat.Locator("tbody td:not(.number)").AllTextContentsAsync()).Where(text => text.Length > 0)
                .ToHashSet());
        Assert.NotEqual(
            "rgba(0, 0, 0, 0)",
            await heat.Locator("[data-heat='4']").First
                .EvaluateAsync<string>("cell => getComputedStyle(cell).backgroundColor"));

        await browser.Page.SelectOptionAsync("#wait-window", "600");
        await Expect(heat.Locator("caption")).ToContainTextAsync("darker");
        Assert.Empty(browser.Errors);
    }

    [ConditionalFact]
    public async Task The_table_in_force_is_there_in_sentences()
    {
        await using var view = await RunningView.StartAsync();
        view.Policies.Swap(BuiltinPolicies.Get("locking"));
        await using var work = view.Work();
        await using var browser = await Browser.OpenAsync(view);
        await browser.Page.GetByText("The table in sentences, compared with ic3 and occ").ClickAsync();
        var waits = browser.Page.Locator("#explanation li", new() { HasText = "Transfer waits for holders of" });
        await Expect(waits).ToBeVisibleAsync();
        await Expect(browser.Page.Locator("#explanation h3").First).ToHaveTextAsync("Everywhere");
        Assert.Empty(browser.Errors);
    }

    [ConditionalFact]
    public async Task Two_versions_are_compared_by_one_click()
    {
        await using var view = await RunningView.StartAsync();
        view.Policies.Swap(BuiltinPolicies.Get("locking"));
        await using var browser = await Browser.OpenAsync(view);
        await browser.Page.GetByRole(AriaRole.Button, new() { Name = "Compare version 2 with 1" }).ClickAsync();
        await Expect(browser.Page.Locator("#diff caption"))
            .ToContainTextAsync("Version 1 (ic3) and version 2 (locking)");
        await Expect(browser.Page.Locator("#diff tbody tr", new() { HasText = "holders" }).First).ToBeVisibleAsync();
        Assert.Empty(browser.Errors);
    }

    [ConditionalFact]
    public async Task Any_two_versions_are_compared()
    {
        await using var view = await RunningView.StartAsync();
        foreach (var name in new[] { "locking", "occ" }) view.Policies.Swap(BuiltinPolicies.Get(name));
        await using var browser = await Browser.OpenAsync(view);
        await Expect(browser.Page.Locator("#versions tbody tr")).ToHaveCountAsync(3);
        await browser.Page.SelectOptionAsync("#diff-left", "1");
        await browser.Page.SelectOptionAsync("#diff-right", "2");
        await browser.Page.GetByRole(AriaRole.Button, new() { Name = "Show what differs" }).ClickAsync();
        await Expect(browser.Page.Locator("#diff caption"))
            .ToContainTextAsync("Version 1 (ic3) and version 2 (locking)");
        Assert.Empty(browser.Errors);
    }

    [ConditionalFact]
    public async Task The_history_is_short_until_all_of_it_is_asked_for()
    {
        await using var view = await RunningView.StartAsync();
        for (var i = 0; i < 19; i++)
            foreach (var name in new[] { "locking", "occ" }) view.Policies.Swap(BuiltinPolicies.Get(name));
        await using var browser = await Browser.OpenAsync(view);
        var (rows, all) = (browser.Page.Locator("#versions tbody tr"), browser.Page.Locator("#versions-all"));
        await Expect(rows).ToHaveCountAsync(5);
        await Expect(rows.First).ToContainTextAsync("(in force)");
        await Expect(all).ToHaveAttributeAsync("aria-expanded", "false");
        await browser.Page.GetByRole(AriaRole.Button, new() { Name = "Show all 39" }).ClickAsync();
        await Expect(rows).ToHaveCountAsync(39);
        await Expect(all).ToHaveAttributeAsync("aria-expanded", "true");
        await browser.Page.GetByRole(AriaRole.Button, new() { Name = "Show the latest 5" }).ClickAsync();
        await Expect(rows).ToHaveCountAsync(5);
    }

    [ConditionalFact]
    public async Task In_the_host_of_Orleans_Dashboard_it_links_to_it()
    {
        await using var view = await RunningView.StartAsync(dashboard: "/orleans");
        await using var browser = await Browser.OpenAsync(view);
        await browser.Page.GetByRole(AriaRole.Link, new() { Name = "Orleans Dashboard" }).ClickAsync();
        await browser.Page.WaitForURLAsync(new Uri(view.Address, "/orleans/").ToString() + "**");
        await Expect(browser.Page).ToHaveTitleAsync(new System.Text.RegularExpressions.Regex("Dashboard"));
    }

    [ConditionalFact]
    public async Task Without_an_authorization_policy_there_is_no_button_to_roll_back_and_the_page_says_why()
    {
        await using var view = await RunningView.StartAsync();
        view.Policies.Swap(BuiltinPolicies.Get("locking"));
        await using var browser = await Browser.OpenAsync(view);
        await Expect(browser.Page.Locator("#versions tbody tr")).ToHaveCountAsync(2);
        await Expect(browser.Page.Locator("#hint")).ToContainTextAsync("LiveViewOptions.AuthorizationPolicy");
        await Expect(browser.Page.GetByRole(AriaRole.Button, new() { Name = "Roll back to version 1" }))
            .ToHaveCountAsync(
                0);
    }

    [ConditionalFact]
    public async Task Who_is_authorized_rolls_back_by_the_keyboard_and_sees_it_in_force()
    {
        await using var view = await RunningView.StartAsync(
            options => options.AuthorizationPolicy = RunningView.Operators);
        view.Policies.Swap(BuiltinPolicies.Get("locking"));
        await using var browser = await Browser.OpenAsync(view, user: "olivia");
        await browser.Page.GetByRole(AriaRole.Button, new() { Name = "Roll back to version 1" }).FocusAsync();
        await browser.Page.Keyboard.PressAsync("Enter");
        await Expect(browser.Page.Locator("#rollback-text")).ToContainTextAsync("in place of locking (version 2)");
        await browser.Page.Keyboard.TypeAsync("<b>slow</b>");
        await browser.Page.Keyboard.PressAsync("Enter");

        await Expect(browser.Page.Locator("#action-result")).ToHaveTextAsync("ic3 is in force again, as version 3.");
        var current = browser.Page.Locator("#versions tr.current");
        await Expect(current).ToContainTextAsync("ic3 (in force)");
        await Expect(current).ToContainTextAsync("back to version 1 by olivia: <b>slow</b>");
        Assert.Equal(("ic3", 3), (view.Policies.Current.Name, view.Policies.Current.Version));
        Assert.Empty(browser.Errors);
    }

    [ConditionalFact]
    public async Task Names_are_text_and_never_markup()
    {
        const string Markup = "<img src=x onerror=\"document.title='owned'\">";
        await using var view = await RunningView.StartAsync();
        view.Policies.Registry.GetOrAddSite(
            new SiteKey($"{Markup}type", $"{Markup}path", $"{Markup}state", AccessKind.Update));
        view.Policies.Swap(
            new DocumentPolicy(
                BuiltinPolicies.Get("locking").Document with
                {
                    Name = $"{Markup}policy",
                    Description = $"{Markup}description",
                    Provenance = [new($"{Markup}key", $"{Markup}value")]
                }));
        await using var browser = await Browser.OpenAsync(view);
        await browser.Page.GetByRole(AriaRole.Button, new() { Name = "Compare version 2 with 1" }).ClickAsync();
        foreach (var (region, text) in new[] { ("#heat",
            "path"), ("#heat", "type"), ("#versions", "policy"), ("#diff", "policy"),
                ("#policy-summary", "description"), ("#legend", "value"),
                ("#explanation", "type") })
            await Expect(browser.Page.Locator(region)).ToContainTextAsync($"{Markup}{text}");
        await Expect(browser.Page.Locator("img")).ToHaveCountAsync(0);
        await Expect(browser.Page).ToHaveTitleAsync("Polyjuice");
        Assert.Empty(browser.Errors);
    }

    [ConditionalFact]
    public async Task On_a_phone_in_the_dark_nothing_but_tables_is_wider_than_the_screen()
    {
        await using var view = await RunningView.StartAsync();
        await using var work = view.Work();
        await using var browser = await Browser.OpenAsync(
            view,
            options: new() { ViewportSize = new() { Width = 360, Height = 740 }, ColorScheme = ColorScheme.Dark });
        await Expect(browser.Page.Locator("#heat tbody tr").First).ToBeVisibleAsync();
        Assert.InRange(await browser.Page.EvaluateAsync<int>("document.documentElement.scrollWidth"), 1, 360);
        Assert.Equal(
            "rgb(13, 17, 23)",
            await browser.Page.EvaluateAsync<string>("getComputedStyle(document.body).backgroundColor"));
        Assert.Empty(browser.Errors);
    }

    [ConditionalFact]
    public async Task Training_is_shown_where_somebody_trains()
    {
        await using var view = await RunningView.StartAsync(
            services: services => services.AddSingleton<ITrainingStatus>(new Training()));
        await using var browser = await Browser.OpenAsync(view);
        await Expect(browser.Page.Locator("#training-state"))
            .ToHaveTextAsync("searching. Retrain: 18% more conflicts are expected");
        await Expect(browser.Page.Locator("#training-curves polyline")).ToHaveCountAsync(2);
        Assert.Empty(browser.Errors);
    }

    private sealed class Training : ITrainingStatus
    {
        public TrainingStatus Current { get; } = new(
            "searching", "Retrain: 18% more conflicts are expected", DateTimeOffset.UnixEpoch,
                [
                    new("ea", [new(0, 900, 700), new(64, 1_100, 950)]),
                    new("surrogate", [new(0, 900, 700), new(40, 1_200, 1_000)])
                ]);
    }
}
