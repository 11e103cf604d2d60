using System.Collections.Concurrent;
using Microsoft.Playwright;

namespace Polyjuice.LiveView.Tests.Page;

/// <summary>The page in a browser, which notes what it asks for and what goes wrong in it.</summary>
internal sealed class Browser : IAsyncDisposable
{
    /// <summary>For whatever is expected of a page that works, on a machine that is busy; in milliseconds.</summary>
    private const float Patience = 180_000;

    private readonly IPlaywright _playwright;
    private readonly IBrowser _browser;

    private Browser(IPlaywright playwright, IBrowser browser, IPage page)
    {
        (_playwright, _browser, Page) = (playwright, browser, page);
        page.Request += (_, request) => Requests.Add(new Uri(request.Url));
        page.PageError += (_, error) => Errors.Add(error);
        // What the content security policy blocks is said there, too.
        page.Console += (_, message) => { if (message.Type == "error") Errors.Add(message.Text); };
    }

    public IPage Page { get; }

    public ConcurrentBag<Uri> Requests { get; } = [];

    public ConcurrentBag<string> Errors { get; } = [];

    /// <param name="view">What to open.</param>
    /// <param name="user">Who looks, if not anybody.</param>
    /// <param name="options">Of the browser's context.</param>
    /// <param name="before">Prepares the page before it is opened.</param>
    public static async Task<Browser> OpenAsync(
        RunningView view, string? user = null, BrowserNewPageOptions? options = null, Func<IPage, Task>? before = null)
    {
        Assert.True(ChromiumInstallation.Path is not null, ChromiumInstallation.Missing);
        var playwright = await Playwright.CreateAsync();
        var browser = await playwright.Chromium.LaunchAsync(new()
        {
            ExecutablePath = ChromiumInstallation.Path, Timeout = Patience, Args = ["--no-sandbox", "--disable-gpu"]
        });
        options ??= new();
        if (user is not null) options.ExtraHTTPHeaders = [new(RunningView.UserHeader, user)];
        var opened = new Browser(playwright, browser, await browser.NewPageAsync(options));
        opened.Page.SetDefaultTimeout(Patience);
        Assertions.SetDefaultExpectTimeout(Patience);
        if (before is not null) await before(opened.Page);
        await opened.Page.GotoAsync(view.Page.ToString());
        return opened;
    }

    /// <summary>What a figure says now.</summary>
    public ILocator Figure(string name) => Page.Locator($"[data-figure='{name}']");

    public async ValueTask DisposeAsync()
    {
        await _browser.DisposeAsync();
        _playwright.Dispose();
    }
}
