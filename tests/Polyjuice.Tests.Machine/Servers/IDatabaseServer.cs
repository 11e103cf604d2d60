namespace Polyjuice.Tests.Shared;

/// <summary>A server of a database that a test starts, kills and starts again.</summary>
public interface IDatabaseServer : IAsyncDisposable
{
    /// <summary>How to get there, as who may do everything.</summary>
    string ConnectionString { get; }

    /// <summary>Ends it in the middle of whatever it does.</summary>
    Task KillAsync();

    /// <summary>Starts it, with what it had, on the same port.</summary>
    Task StartAgainAsync();
}
