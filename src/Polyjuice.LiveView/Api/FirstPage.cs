using System.Net;
using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Polyjuice.LiveView.Measuring;

namespace Polyjuice.LiveView.Api;

/// <summary>
/// The page with what is known when somebody asks for it. Its figures are text, and what its charts and tables are
/// drawn from is in it: where all processors are busy, each further request would take its time. Nothing here asks a
/// store.
/// </summary>
internal sealed class FirstPage(LiveViewServices services)
{
    /// <summary>What Orleans' Dashboard maps below its own path.</summary>
    private const string DashboardRoute = "/DashboardCounters";

    /// <summary>Answers with the page. Its links are relative, so that its path must end with a slash.</summary>
    public Task GetAsync(HttpContext context)
    {
        var path = context.Request.Path.Value ?? "";
        if (!path.EndsWith('/'))
        {
            context.Response.Redirect($"{context.Request.PathBase}{path}/{context.Request.QueryString}");
            return Task.CompletedTask;
        }

        context.Response.ContentType = "text/html; charset=utf-8";
        return context.Response.WriteAsync(Fill(context), context.RequestAborted);
    }

    private string Fill(HttpContext context)
    {
        var samples = services.History.After(0);
        var dashboard = DashboardOf(context);

        // The serializer's own encoding leaves no '<' in it.
        var first = JsonSerializer.Serialize(
            new FirstAnswer(
                samples, services.WaitsOver(EventStreams.WaitSamples), services.Conflicts.Look(),
                services.Training?.Current, dashboard),
            JsonSerializerOptions.Web);
        return new StringBuilder(PageFiles.Page)
            .Replace("{{title}}", WebUtility.HtmlEncode(services.Options.Title))
            .Replace("{{process}}", WebUtility.HtmlEncode(FigureEndpoints.Process))
            .Replace("{{figures}}", Figures(samples.Count == 0 ? null : samples[^1]))
            .Replace("{{first}}", first)
            .ToString();
    }

    private static string Figures(Sample? latest)
    {
        if (latest is null) return Figure("state", "measuring…");
        return Figure("committed", $"{Quantity.Count(latest.Commits / latest.Seconds)}/s")
            + Figure("aborted attempts", $"{Quantity.Count(latest.Aborts.Values.Sum() / latest.Seconds)}/s")
            + Figure("median latency", Quantity.Time(latest.Latency.P50))
            + Figure("99th percentile", Quantity.Time(latest.Latency.P99))
            + Figure("dependency chain", $"{Quantity.Count(latest.ChainMean)} (max {latest.ChainMax})")
            + Figure("waiting to start", Quantity.Count(latest.Waiting))
            + (latest.Chosen is { } table ? Figure("table chosen", WebUtility.HtmlEncode(table)) : "");
    }

    private static string Figure(string name, string value) =>
        $"<div><dt>{name}</dt><dd data-figure=\"{name}\">{value}</dd></div>";

    // Found by what it serves, wherever the application has mapped it.
    private static string? DashboardOf(HttpContext context) =>
        context.RequestServices.GetRequiredService<EndpointDataSource>().Endpoints
            .OfType<RouteEndpoint>().Select(endpoint => endpoint.RoutePattern.RawText)
            .Where(route => route is not null && route.EndsWith(DashboardRoute, StringComparison.OrdinalIgnoreCase))
            .Select(
                route => $"{context.Request.PathBase}/{route![..^DashboardRoute.Length].Trim('/')}".TrimEnd('/') + "/")
            .FirstOrDefault();
}
