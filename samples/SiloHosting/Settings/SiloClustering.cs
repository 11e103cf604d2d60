namespace SiloHosting.Settings;

/// <summary>How silos find each other.</summary>
public enum SiloClustering
{
    /// <summary>
    /// On this machine, by a silo that all others know, and with which membership ends. For tries and tests.
    /// </summary>
    Localhost,

    /// <summary>By a table in Azure Storage, or in Azurite.</summary>
    AzureTable,
}
