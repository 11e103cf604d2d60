using SiloHosting.Settings;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Diagnostics.HealthChecks;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace SiloHosting.Health;

/// <summary>
/// The checks of this program, and where they answer: 200 if all are healthy or degraded, else 503, and why.
/// </summary>
internal static class HealthEndpoints
{
    private const string Started = "started";
    private const string Ready = "ready";
    private const string Live = "live";

    // Less than the liveness probe's, which then hears why (deploy/base/deployment.yaml).
    private static readonly TimeSpan s_answerTimeout = TimeSpan.FromSeconds(4);

    /// <summary>Adds the checks.</summary>
    public static void AddSiloHealth(this IServiceCollection services) => services.AddHealthChecks()
        .AddCheck<DrainCheck>("drain", tags: [Ready])
        .AddPolyjuice(options => options.AnswerTimeout = s_answerTimeout)
        .AddCheck<StartCheck>("start", tags: [Ready, Started]);

    /// <summary>Adds the endpoints.</summary>
    public static void MapSiloHealth(this IEndpointRouteBuilder routes)
    {
        routes.MapHealthChecks(SiloEndpoints.Started, For(Started));
        routes.MapHealthChecks(SiloEndpoints.Ready, For(Ready));
        routes.MapHealthChecks(SiloEndpoints.Live, For(Live));
    }

    private static HealthCheckOptions For(string tag) => new()
    {
        Predicate = check => check.Tags.Contains(tag),
        ResponseWriter = static (context, report) =>
        {
            context.Response.ContentType = "text/plain; charset=utf-8";
            return context.Response.WriteAsync(TextOf(report) + "\n", context.RequestAborted);
        },
    };

    // What is wrong, or what is well if nothing is.
    private static string TextOf(HealthReport report)
    {
        var texts = report.Entries
            .Where(entry => entry.Value.Status == report.Status && entry.Value.Description is not null)
            .OrderBy(entry => entry.Key, StringComparer.Ordinal)
            .Select(entry => entry.Value.Description);
        return string.Join("; ", texts) is { Length: > 0 } text ? text : report.Status.ToString();
    }
}
