namespace Polyjuice.Deploy.Tests.Pods;

/// <summary>One of a container's probes, asked as the kubelet asks.</summary>
/// <param name="container">Whose.</param>
/// <param name="name">Which.</param>
/// <param name="address">Where the port that it names is on this machine.</param>
/// <param name="http">Asks.</param>
internal sealed class Probe(JsonNode container, string name, Func<string, int> address, HttpClient http)
{
    private readonly JsonNode _probe = container[name]!;

    private TimeSpan Period => TimeSpan.FromSeconds((int)_probe["periodSeconds"]!);

    private int FailureThreshold => (int)_probe["failureThreshold"]!;

    private string Uri =>
        $"http://127.0.0.1:{address((string)_probe["httpGet"]!["port"]!)}{(string)_probe["httpGet"]!["path"]!}";

    /// <summary>Asks until it is well.</summary>
    /// <returns>Whether it was, before as many failures as are allowed.</returns>
    public async Task<bool> SucceedsAsync(CancellationToken cancellationToken)
    {
        for (var failures = 0; failures < FailureThreshold; failures++)
        {
            if (await AskAsync(cancellationToken)) return true;
            await Task.Delay(Period, cancellationToken);
        }

        return false;
    }

    /// <summary>
    /// Asks for ever, and says what is to be made of the answers:
    /// not well after as many failures in a row as are allowed.
    /// </summary>
    public async Task FollowAsync(Action<bool> isWell, CancellationToken cancellationToken)
    {
        for (var failures = 0; ; await Task.Delay(Period, cancellationToken))
        {
            failures = await AskAsync(cancellationToken) ? 0 : failures + 1;
            if (failures == 0) isWell(true);
            else if (failures >= FailureThreshold) isWell(false);
        }
    }

    // Without the probe's own time limit: this machine may stand still for longer. Statuses decide.
    private async Task<bool> AskAsync(CancellationToken cancellationToken)
    {
        try
        {
            using var answer = await http.GetAsync(Uri, cancellationToken);
            return answer.IsSuccessStatusCode;
        }
        catch (HttpRequestException)
        {
            return false;
        }
    }
}
