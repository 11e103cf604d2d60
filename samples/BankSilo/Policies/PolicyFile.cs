using BankSilo.Settings;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Orleans.Configuration;
using Polyjuice.Policies;

namespace BankSilo.Policies;

/// <summary>
/// Puts a policy file in force again when it has changed. It is looked at now and then, and by its content: Kubernetes changes a mounted config map by another symbolic link, which file watchers tend to miss.
/// </summary>
internal sealed partial class PolicyFile(
    PolicyStore policies, IOptions<PolyjuiceOptions> options, IOptions<SiloSettings> settings, TimeProvider time, ILogger<PolicyFile> logger) : BackgroundService
{
    private string? _content;

    /// <summary>Looks once. A file that can't be used changes nothing, and is said once for each content.</summary>
    /// <param name="path">The file.</param>
    public void Look(string path)
    {
        string content;
        try
        {
            content = File.ReadAllText(path);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            if (_content is not "") NotReadable(logger, exception, path);
            _content = "";
            return;
        }

        var earlier = _content;
        if (content == earlier) return;
        _content = content;
        try
        {
            var policy = new DocumentPolicy(PolicyReader.Parse(content, path));

            // What the silo has started with.
            if (earlier is null) return;
            policies.Swap(policy);
            Changed(logger, policy.Name, path);
        }
        catch (PolicyFormatException exception)
        {
            NotReadable(logger, exception, path);
        }
    }

    /// <inheritdoc/>
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        var path = options.Value.Policy;
        if (!PolicySource.IsPath(path)) return;
        Look(path);
        using var timer = new PeriodicTimer(settings.Value.PolicyCheckInterval, time);
        try
        {
            while (await timer.WaitForNextTickAsync(stoppingToken)) Look(path);
        }
        catch (OperationCanceledException)
        {
            // The silo stops.
        }
    }

    [LoggerMessage(1, LogLevel.Information, "Policy {Policy} of {Path} is in force now.")]
    private static partial void Changed(ILogger logger, string policy, string path);

    [LoggerMessage(2, LogLevel.Error, "The policy file {Path} can't be used; the policy that is in force stays.")]
    private static partial void NotReadable(ILogger logger, Exception exception, string path);
}
